/**
 * For `meta.override`: the document leaves out the pattern of a text that stands for something else. The
 * type does not say so, because the library's has no place for a field that is to be removed.
 */
export const noPattern: object = { pattern: undefined };

/** The schema of a field that may not be there. */
export const NEVER = { not: {} };
