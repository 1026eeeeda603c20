/** What a broker says has become of an order, where it is no refusal: "placed", "queued", … */
const TAKEN =
  'placed|accepted|received|queued|submitted|registered|created|booked|forwarded|sent|' +
  'acknowledged|executed|filled|traded|processed|processing|pending';

/** The same said of what did not happen, or of what a rule allows: no news of this order. */
const NOT_TAKEN = new RegExp(
  `(?:\\b(?:not|never|cannot)|n['’]t)(?:\\s+(?:be|been|yet|get))*\\s+(?:${TAKEN})\\b` +
    `|\\b(?:can|must|should|has to|have to|needs? to|allowed to)(?:\\s+only)?\\s+be\\s+(?:${TAKEN})\\b`,
  'gi',
);

/** About other orders of the account: the end of Kite's text for a lack of margin. */
const OTHER_ORDERS =
  /\bcheck the order ?book for open orders\b|\b(?:open|pending|existing) orders\b/gi;

/** The broker does not know either. */
const NOT_KNOWN: readonly RegExp[] = [
  /tim(?:ed?|ing)[ -]?out\b|\btoo long\b|\bdelay(?:ed)?\b/i,
  /\bno (?:response|reply|answer)\b|(?:\bnot|n['’]t) (?:responded|responding|respond|replied)\b/i,
  /\b(?:not |un)reachable\b|\bbusy\b|\b(?:connection|network|gateway)\b.*\b(?:error|lost|failed)\b/i,
  /\bsomething went wrong\b|\b(?:internal|unknown|unexpected|technical) (?:\w+ )?(?:error|issue|problem)\b/i,
  /\b(?:status|state|outcome|result|confirmation)\b.{0,40}\b(?:unknown|unclear|unavailable|awaited|pending|not (?:known|available|received|clear))\b/i,
  /\b(?:unknown|unclear|unconfirmed) (?:order|status|state|outcome|result)\b/i,
  /(?:\bnot |n['’]t |\bun(?:able to )?)(?:be )?(?:confirm(?:ed)?|verif(?:y|ied)|determined?)\b/i,
  /\b(?:may|might|could) (?:already |still )?(?:have|be (?:placed|executed|pending))\b|\bawait(?:ed|ing)\b/i,
  /\border ?book\b|\b(?:check|verify|confirm|see) (?:the |your |its )?(?:orders?\b(?! (?:value|quantity|price|type|limit))|status\b)/i,
  /\b(?:check|verify|confirm)\b.{0,60}\bbefore\b|\bbefore (?:re-?)?(?:plac|try|retry|submit|send|order)/i,
  /\b(?:placing|trying|submitting|sending|ordering) (?:it )?again\b/i,
];

/** The broker says, or may mean, that it has the order. */
const MAY_BE_TAKEN: readonly RegExp[] = [
  new RegExp(`\\b(?:order|request|trade)\\b[^.;]{0,60}\\b(?:${TAKEN})\\b`, 'i'),
  new RegExp(`\\b(?:already|been|will be|being|successfully|is|was|were) (?:${TAKEN})\\b`, 'i'),
  new RegExp(`^(?:\\W*)(?:${TAKEN})\\b`, 'i'),
  /\b(?:duplicate|identical)\b|\bsame order\b|\balready (?:exists?|in|there|open|have)\b/i,
  /\bpending\b|\bin (?:progress|process|transit|queue|the queue)\b|\bunder process\b/i,
];

/**
 * Whether a broker's words about a request to place an order leave open whether it has the order, whatever
 * else they say and whatever status and type they come with (docs/spec/outcomes.md). Errs on that side:
 * an order that is called uncertain costs reads of the book, one that is wrongly called refused money.
 */
export function leavesPlacingOpen(text: string): boolean {
  const said = inWords(text).replace(OTHER_ORDERS, ' ');
  if (NOT_KNOWN.some((words) => words.test(said))) return true;
  const positive = said.replace(NOT_TAKEN, ' ');
  return MAY_BE_TAKEN.some((words) => words.test(positive));
}

/** A cancel or a modification whose result the words leave open; the row of its order is read in any case. */
export function leavesChangeOpen(text: string): boolean {
  return CHANGE_NOT_KNOWN.test(text);
}

const CHANGE_NOT_KNOWN =
  /timed?[ -]?out|too long|no response|placing again|may have been placed|order ?book|not reachable|busy/i;

/** RequestTimedOut and REQUEST_TIMED_OUT as words. */
function inWords(text: string): string {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[\s_]+/g, ' ')
    .trim();
}
