// Collections that are not in collections.ts, because their records are not read as records of the model.

/** The number of the format of the stored data. */
export const FORMAT_COLLECTION = 'format';

/** The bytes of files. */
export const GRIDFS = ['files.files', 'files.chunks'] as const;
