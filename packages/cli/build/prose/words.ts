/**
 * Words and forms that the English rules exclude and that have no other use in this repository. A word with a proper use
 * (`most`, `known`, `holds` of a condition) is left to the reader: a false alarm costs more than it finds.
 */
import type { Finding, ProseLine } from './lines.ts';

interface Excluded {
  readonly form: RegExp;
  readonly instead: string;
  /** Default: all prose. */
  readonly places?: readonly ProseLine['place'][];
}

const words = (alternatives: string): RegExp => new RegExp(`(?<![\\w\`$./-])(?:${alternatives})(?![\\w\`-])`, 'i');

const excluded: readonly Excluded[] = [
  { form: words('whoever|whomever|whom|those who'), instead: 'a noun: the caller, the peer, users that …' },
  { form: words('nobody(?! user)|somebody|anybody'), instead: 'a noun: no user, another process' },
  { form: words('beside|besides'), instead: 'with, next to, compared with, in addition to' },
  { form: words('go(?:es|ing)? on|went on'), instead: 'continue, keep …ing, resume' },
  { form: words('(?:is|are|was|were|being) told'), instead: 'gets, is reported' },
  { form: words('says|saying'), instead: 'reports, states, has' },
  { form: words('tells|telling'), instead: 'distinguishes, reports' },
  { form: words('lets|letting'), instead: 'allows, gives' },
  { form: words("of (?:ours|yours|theirs|the user’s|the user's)"), instead: 'our own, user-supplied' },
  { form: words('as (?:it|they) lies?'), instead: 'unchanged, in place' },
  { form: words('as (?:it|they) should'), instead: 'correctly' },
  { form: words('for want of'), instead: 'for lack of, without' },
  { form: words('under way'), instead: 'in flight, in progress' },
  { form: words('takes? the place of|in the place of'), instead: 'replaces' },
  { form: words('the likes of|(?:its|their) likes?'), instead: 'such as' },
  { form: words('hangs? up|hung up'), instead: 'closes the connection' },
  { form: words('by (?:its|their) own word'), instead: 'as declared' },
  { form: words('no matter (?:what|who|how|where)'), instead: 'any, every' },
  { form: words('(?:has|have|had) to be known'), instead: 'a noun: remarks, flags' },
  {
    form: /^\s*(?:\/\*\*?|\/\/|\*|#)?\s*(?:In which|As many)\b/,
    instead: 'the noun itself at the start',
    places: ['comment', 'page'],
  },
  { form: /^\s*(?:\/\*\*|\/\/)\s*(?:Of|That)\b/, instead: 'the noun itself at the start', places: ['comment'] },
  {
    form: words(
      'say|said|tell(?<!(?:cannot|could) tell)|told|lets?|ask(?:s|ed)?|knows?|knew|held|holds?|who|wants?|sees',
    ),
    instead: 'what the code does: reports, rejects, allows, requests, contains, …',
    places: ['title'],
  },
  { form: words('of the user'), instead: 'user-supplied', places: ['title'] },
  { form: /\bmost[A-Z]\w*/, instead: 'max…', places: ['code'] },
  { form: /\bpretend[A-Z]\w*/, instead: 'fake…', places: ['code'] },
  { form: /\b(?:Laborator|laborator)\w+/, instead: 'Backend', places: ['code'] },
  { form: /\b\w*[cC]ourier\b/, instead: 'HopSender', places: ['code'] },
];

export function excludedWords(lines: readonly ProseLine[]): Finding[] {
  return lines.flatMap(({ line, text, place }) =>
    excluded.flatMap(({ form, instead, places = ['comment', 'string', 'title', 'page'] }) => {
      const [found] = (places.includes(place) && form.exec(text)) || [];
      return found ? [{ line, problem: `"${found.trim()}": write ${instead}` }] : [];
    }),
  );
}
