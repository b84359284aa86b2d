// Ids of records.
import { typeid } from 'typeid-js';

/** The prefix of an id names its kind of record. */
export type IdPrefix =
  | 'doc'
  | 'fld'
  | 'wsp'
  | 'ver'
  | 'rev'
  | 'nvw'
  | 'art'
  | 'job'
  | 'run'
  | 'aud'
  | 'usr'
  | 'tok'
  | 'ses'
  | 'whk';

/** Returns a new, time-ordered id with its prefix, e.g. `doc_01h…` (TypeID). */
export const newId = (prefix: IdPrefix): string => typeid(prefix).toString();
