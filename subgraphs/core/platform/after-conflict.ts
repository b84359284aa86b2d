// Commands that write the same record meet as a write conflict, and each that lost begins again. Where many meet at once, most of what they do is
// lost again: the work grows with the square of their number until all of them are late. So those that lost go one after the other.

type Lane = { waiting: (() => void)[] };

/** The lanes of one process, by the name of the command: as long as somebody goes in one, others of that name line up behind. */
export type Lanes = {
  /** Waits its turn, where commands of this name take turns now. Answers how to leave the lane; null: it goes beside the others. */
  enterIfBusy(name: string): Promise<(() => void) | null>;
  /** Waits its turn, having met a conflict. Answers how to leave. */
  enter(name: string): Promise<() => void>;
};

export function conflictLanes(): Lanes {
  const lanes = new Map<string, Lane>();

  const leaveOf = (name: string, lane: Lane) => () => {
    const next = lane.waiting.shift();
    if (next) next();
    else lanes.delete(name);
  };

  async function enter(name: string): Promise<() => void> {
    const busy = lanes.get(name);
    if (!busy) {
      const lane: Lane = { waiting: [] };
      lanes.set(name, lane);
      return leaveOf(name, lane);
    }
    await new Promise<void>((resolve) => busy.waiting.push(resolve));
    return leaveOf(name, busy);
  }

  return { enter, enterIfBusy: async (name) => (lanes.has(name) ? enter(name) : null) };
}
