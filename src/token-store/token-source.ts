/** Where the token in use came from; the levels in the order in which they are asked. */
export const TOKEN_SOURCES = ['memory', 'file', 'environment', 'configuration'] as const;
export type TokenSource = (typeof TOKEN_SOURCES)[number];
