/** The ids in the examples of request bodies. Replace them by ids of your own records. */
export const EXAMPLE_IDS = {
  document: 'doc_01jwq3v8zkf6hbx2m9t4c7r5ae',
  folder: 'fld_01jwq3w1p0e8s5d7n2y6k4h9gb',
  version: 'ver_01jwq3wgt5f3r8a1v9c2m6x4qd',
  audit: 'aud_01jwq3x2n7k9b4s6e1h8z5y3tf',
  user: 'usr_01jwq3xv4d2c7m8g5r9k1p6wne',
} as const;
