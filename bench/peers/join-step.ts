// Large STEP files, which consist of smaller ones.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Joins the STEP files of a folder, each as often as necessary, to one file that is at most `bytes` long and at most one
 * small file shorter. The products stay separate.
 */
export function joinStepFiles(folder: string, bytes: number): Buffer {
  const sources = readdirSync(folder)
    .filter((name) => /\.(stp|step)$/i.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'latin1'));
  const header = sources[0]!.slice(0, sources[0]!.indexOf('DATA;'));
  const parts = [header, 'DATA;\n'];
  let length = header.length + FRAME;
  let last = 0;
  for (let isFull = false; !isFull; ) {
    isFull = true;
    for (const source of sources) {
      const { text, highest } = renumber(dataOf(source), last);
      if (length + text.length > bytes) continue;
      parts.push(text);
      length += text.length;
      last = highest;
      isFull = false;
    }
  }
  return Buffer.from([...parts, 'ENDSEC;\nEND-ISO-10303-21;\n'].join(''), 'latin1');
}

const FRAME = 'DATA;\nENDSEC;\nEND-ISO-10303-21;\n'.length;

function dataOf(source: string): string {
  return source.slice(source.indexOf('DATA;') + 'DATA;'.length, source.lastIndexOf('ENDSEC;'));
}

function renumber(data: string, offset: number): { text: string; highest: number } {
  let highest = offset;
  const text = data.replace(/#(\d+)/g, (_reference, number: string) => {
    const moved = Number(number) + offset;
    highest = Math.max(highest, moved);
    return `#${moved}`;
  });
  return { text, highest };
}
