// Which rows of a list are chosen. Pure: a click or a key leads from one choice to the next.

export type Selection = {
  chosen: ReadonlySet<string>;
  /** The row where the keyboard is. */
  active: string | null;
  /** Where a range begins. */
  anchor: string | null;
};

export const NOTHING_CHOSEN: Selection = { chosen: new Set(), active: null, anchor: null };

type How = { range?: boolean; toggle?: boolean };

/** Chooses a row: alone, with Ctrl beside the others, with Shift all from where one began. */
export function choose(
  selection: Selection,
  ids: readonly string[],
  id: string,
  { range = false, toggle = false }: How = {},
): Selection {
  if (range) {
    const anchor = selection.anchor !== null && ids.includes(selection.anchor) ? selection.anchor : id;
    const [from, to] = [ids.indexOf(anchor), ids.indexOf(id)].sort((one, other) => one - other);
    return { chosen: new Set(ids.slice(from, (to ?? 0) + 1)), active: id, anchor };
  }
  if (!toggle) return { chosen: new Set([id]), active: id, anchor: id };
  const chosen = new Set(selection.chosen);
  if (!chosen.delete(id)) chosen.add(id);
  return { chosen, active: id, anchor: id };
}

/** Moves the keyboard without choosing anything. */
export const moveTo = (selection: Selection, id: string): Selection => ({ ...selection, active: id });

export const chooseAll = (selection: Selection, ids: readonly string[]): Selection => ({
  ...selection,
  chosen: new Set(ids),
});

/** What remains of a choice when the list has changed. */
export function stillThere(selection: Selection, ids: readonly string[]): Selection {
  const there = new Set(ids);
  if ([...selection.chosen].every((id) => there.has(id)) && (selection.active === null || there.has(selection.active)))
    return selection;
  const kept = (id: string | null) => (id !== null && there.has(id) ? id : null);
  return {
    chosen: new Set([...selection.chosen].filter((id) => there.has(id))),
    active: kept(selection.active),
    anchor: kept(selection.anchor),
  };
}

/** What a drag that begins on a row carries: the whole choice when the row belongs to it, else the row alone. */
export const dragged = ({ chosen }: Selection, id: string): string[] => (chosen.has(id) ? [...chosen] : [id]);
