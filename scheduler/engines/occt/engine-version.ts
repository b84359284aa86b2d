/** The engine version recorded with its results. Increase it when the same input gives a different result. */
export const ENGINE_VERSION = '1.4.0';
