/** Where the token in use came from: the levels, from the first to the last that is read. */
export const TOKEN_SOURCES = ['memory', 'file', 'environment', 'configuration'] as const;
export type TokenSource = (typeof TOKEN_SOURCES)[number];
