// The selection of a list: pure functions that return the selection after a click or a key.

export type Selection = {
  selected: ReadonlySet<string>;
  /** The row with the keyboard focus. */
  active: string | null;
  /** The row where a range selection starts. */
  anchor: string | null;
};

export const EMPTY_SELECTION: Selection = { selected: new Set(), active: null, anchor: null };

type Mode = { range?: boolean; toggle?: boolean };

/** Selects only a row, toggles it (Ctrl), or selects the range from the anchor (Shift). */
export function selectRow(
  selection: Selection,
  ids: readonly string[],
  id: string,
  { range = false, toggle = false }: Mode = {},
): Selection {
  if (range) {
    const anchor = selection.anchor !== null && ids.includes(selection.anchor) ? selection.anchor : id;
    const [from, to] = [ids.indexOf(anchor), ids.indexOf(id)].sort((one, other) => one - other);
    return { selected: new Set(ids.slice(from, (to ?? 0) + 1)), active: id, anchor };
  }
  if (!toggle) return { selected: new Set([id]), active: id, anchor: id };
  const selected = new Set(selection.selected);
  if (!selected.delete(id)) selected.add(id);
  return { selected, active: id, anchor: id };
}

/** Moves the keyboard focus without changing the selection. */
export const moveActive = (selection: Selection, id: string): Selection => ({ ...selection, active: id });

export const selectAll = (selection: Selection, ids: readonly string[]): Selection => ({
  ...selection,
  selected: new Set(ids),
});

/** Removes rows that are no longer in the list. Returns the same object if nothing changed. */
export function retainSelection(selection: Selection, ids: readonly string[]): Selection {
  const listed = new Set(ids);
  const { selected, active, anchor } = selection;
  if ([...selected].every((id) => listed.has(id)) && (active === null || listed.has(active))) return selection;
  const ifListed = (id: string | null) => (id !== null && listed.has(id) ? id : null);
  return {
    selected: new Set([...selected].filter((id) => listed.has(id))),
    active: ifListed(active),
    anchor: ifListed(anchor),
  };
}

/** Returns the ids of the rows that are dragged with a row: the whole selection if it includes the row, else only it. */
export const draggedIds = ({ selected }: Selection, id: string): string[] => (selected.has(id) ? [...selected] : [id]);
