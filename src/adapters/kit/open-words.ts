/** What a broker says has become of an order, where it is no refusal: "placed", "queued", … */
const TAKEN =
  'placed|accepted|received|queued|submitted|registered|created|booked|forwarded|sent|' +
  'acknowledged|executed|filled|traded|processed|processing|pending';

/** What a broker says has become of a change of an order, besides. */
const CHANGED =
  'modified|changed|updated|amended|revised|replaced|cancelled|canceled|deleted|withdrawn';

/** The same said of what did not happen, or of what a rule allows: no news of this order. */
const notDone = (done: string): RegExp =>
  new RegExp(
    `(?:\\b(?:not|never|cannot)|n['’]t)(?:\\s+(?:be|been|yet|get))*\\s+(?:${done})\\b` +
      `|\\b(?:can|must|should|has to|have to|needs? to|allowed to)(?:\\s+only)?\\s+be\\s+(?:${done})\\b`,
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

/** The broker says, or may mean, that what was asked for is done, or that it was asked for before. */
const mayBeDone = (asked: string, done: string): readonly RegExp[] => [
  new RegExp(`\\b(?:${asked})\\b[^.;]{0,60}\\b(?:${done})\\b`, 'i'),
  new RegExp(`\\b(?:already|been|will be|being|successfully|is|was|were) (?:${done})\\b`, 'i'),
  new RegExp(`^(?:\\W*)(?:${done})\\b`, 'i'),
  /\b(?:duplicate|identical)\b|\bsame (?:order|request)\b|\balready (?:exists?|in|there|open|have)\b/i,
  /\bpending\b|\bin (?:progress|process|transit|queue|the queue)\b|\bunder process\b/i,
];

/** No news of a change: a denial with its reason, and what has become of the order itself. */
const OF_THE_ORDER_ALONE: readonly RegExp[] = [
  new RegExp(`\\bcannot be (?:${CHANGED})\\s+(?:as|because|since|while|when)\\b[^.;]*`, 'gi'),
  /\b(?:(?:has|have) (?:already )?been|is|was|already)(?: already)?(?: fully| completely)? (?:executed|filled|traded|rejected|completed?)\b/gi,
];

interface WordsOf {
  /** What a broker calls what was asked for. */
  readonly asked: string;
  readonly done: string;
  /** What says nothing of it, though it has such a word. */
  readonly noNews: readonly RegExp[];
}

function openWords({ asked, done, noNews }: WordsOf): (text: string) => boolean {
  const mayBe = mayBeDone(asked, done);
  const left = [...noNews, notDone(done)];
  return (text) => {
    const said = inWords(text).replace(OTHER_ORDERS, ' ');
    if (NOT_KNOWN.some((words) => words.test(said))) return true;
    const positive = left.reduce((rest, words) => rest.replace(words, ' '), said);
    return mayBe.some((words) => words.test(positive));
  };
}

/**
 * Whether a broker's words about a request to place an order leave open whether it has the order, whatever
 * else they say and whatever status and type they come with (docs/spec/outcomes.md). Errs on that side:
 * an order that is called uncertain costs reads of the book, one that is wrongly called refused money.
 */
export const leavesPlacingOpen = openWords({
  ...{ asked: 'order|request|trade', done: TAKEN, noNews: [] },
});

/**
 * The same of a request to cancel or to modify an order, and whether that is done. Words that tell of the
 * order alone ("cannot be modified as it is being processed", "is already executed") leave nothing open.
 */
export const leavesChangeOpen = openWords({
  asked: 'order|request|trade|modification|cancellation|cancel|change|update|amendment',
  done: `${TAKEN}|${CHANGED}`,
  noNews: OF_THE_ORDER_ALONE,
});

/** RequestTimedOut and REQUEST_TIMED_OUT as words. */
function inWords(text: string): string {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[\s_]+/g, ' ')
    .trim();
}
