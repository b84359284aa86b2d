/** The version of the built-in engine, as its results name it. */
export const ENGINE_VERSION = '1.0.0';
