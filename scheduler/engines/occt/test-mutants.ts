/**
 * Yields damaged copies of a STEP file, identical in every run. Cycles through six kinds of damage: digits changed,
 * bytes changed, end cut off, a block removed, references swapped, coordinates replaced.
 */
export function* mutants(valid: Buffer, count: number): Generator<Buffer> {
  const pick = createPicker();
  const text = valid.toString('latin1');
  const digits = [...text.matchAll(/\d/g)].map(({ index }) => index).filter((at) => at > 1500);
  const references = [...text.matchAll(/(?<=[(,])#\d+/g)];
  const numbers = [...text.matchAll(/(?<=[(,])-?\d+\.[\dE+-]*/g)];
  const one = <T>(list: T[]): T => list[pick(list.length)] as T;
  const replaced = (matches: RegExpExecArray[], by: () => string) => {
    const chosen = new Map(
      Array.from({ length: 1 + pick(8) }, () => one(matches)).map((match) => [match.index, match[0]]),
    );
    let out = '';
    let at = 0;
    for (const [index, old] of [...chosen].sort((a, b) => a[0] - b[0])) {
      out += text.slice(at, index) + by();
      at = index + old.length;
    }
    return Buffer.from(out + text.slice(at), 'latin1');
  };
  const changed = (positions: () => number, byte: () => number) => {
    const copy = Buffer.from(valid);
    for (let n = 1 + pick(30); n > 0; n--) copy[positions()] = byte();
    return copy;
  };
  const withoutBlock = () => {
    const at = pick(valid.length);
    return Buffer.concat([valid.subarray(0, at), valid.subarray(at + pick(4000))]);
  };
  const kinds = [
    () =>
      changed(
        () => one(digits),
        () => 48 + pick(10),
      ),
    () =>
      changed(
        () => pick(valid.length),
        () => pick(256),
      ),
    () => valid.subarray(0, pick(valid.length)),
    withoutBlock,
    () => replaced(references, () => one(references)[0]),
    () => replaced(numbers, () => one(['0.', '-1.', '1.E30', '1.E-30', '1.E-300', '1.E300', '9999999999.', '-0.'])),
  ];
  for (let i = 0; i < count; i++) yield kinds[i % kinds.length]!();
}

/** Creates a linear congruential generator with a fixed seed. It returns integers below an exclusive limit. */
export function createPicker(): (below: number) => number {
  let seed = 7;
  return (below) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return Math.floor((seed / 0x80000000) * below);
  };
}
