/** The version of the built-in engine, as its results name it: another one where the same input has another result. */
export const ENGINE_VERSION = '1.1.0';
