import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { hasBeenWritten, journalOf } from '../storage/journal.ts';

/**
 * Why a file cannot be opened as a store, in a sentence; null when it can, or is not there yet. LMDB maps the file into memory and ends the process
 * where it is something else, so it is asked before. `whole`: also whether it is as long as its newest state says, as a copy always is.
 */
export function fileFault(path: string, { whole = false } = {}): string | null {
  if (!existsSync(path)) return lostFault(path);
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size === 0) return lostFault(path);
    const first = metaAt(file, 0);
    const second = first && metaAt(file, first.pageSize);
    // made a moment before the power went: nothing has been put into it
    if (!whole && isBlank(file)) return lostFault(path);
    if (!first || !second) return `${path} is no store, or its beginning is damaged. Put a backup in its place.`;
    const { lastPage } = first.transaction > second.transaction ? first : second;
    const wanted = (lastPage + 1) * first.pageSize;
    return whole && size < wanted ? `${path} is cut off: ${size} of ${wanted} bytes are there.` : null;
  } finally {
    closeSync(file);
  }
}

// The journal takes nothing before the data file is on disk.
function lostFault(path: string): string | null {
  if (!hasBeenWritten(path)) return null;
  return `${path} is lost: ${journalOf(path)} was written beside it. Put a backup in its place, or move that file away too to begin with an empty store.`;
}

const MAGIC = 0xbeefc0de;
// Behind the head of the page: magic, version, address, size, two trees of 48 bytes, the last page, the transaction.
const AT = { magic: 24, pageSize: 48, lastPage: 144, transaction: 152, end: 160 };

function isBlank(file: number): boolean {
  const page = Buffer.alloc(AT.end);
  readSync(file, page, 0, AT.end, 0);
  return page.every((byte) => byte === 0);
}

function metaAt(file: number, position: number): { pageSize: number; lastPage: number; transaction: bigint } | null {
  const page = Buffer.alloc(AT.end);
  if (readSync(file, page, 0, AT.end, position) < AT.end || page.readUInt32LE(AT.magic) !== MAGIC) return null;
  const pageSize = page.readUInt32LE(AT.pageSize);
  if (pageSize < 512 || pageSize > 65_536) return null;
  return {
    pageSize,
    lastPage: Number(page.readBigUInt64LE(AT.lastPage)),
    transaction: page.readBigUInt64LE(AT.transaction),
  };
}
