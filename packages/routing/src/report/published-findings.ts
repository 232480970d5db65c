/**
 * The findings of the published routing study (Amiri, Krieger, Zdun, Leymann), each as comparisons of cells of this
 * run, and how far its medians are from the published ones. "About linear" is a ratio between half and twice the one of
 * a straight line through 0; "almost linear" in the rate, from 1.5 to 3 for twice the rate.
 */
import type { Summary } from '@topo-bench/core/schema/result';
import { numberColumn, sentenceColumn } from '@topo-bench/report/model';
import { quantileOfSorted, sortedCopy } from '@topo-bench/stats';
import type { Findings } from './findings.ts';
import { publishedMedianUs } from './published-medians.ts';
import type { RoutingModel } from './routing-model.ts';

const architectures = ['central-entity', 'dynamic-router-3', 'dynamic-router-6', 'sidecar'] as const;
const [central, ...others] = architectures;
const sizes = [5, 10, 25, 50];
const rates = [100, 500, 1000];

type RttOf = (architecture: string, services: number, rate: number) => Summary | undefined;

/** A comparison of cells: whether it is as published; undefined where a cell has no figures. */
type Comparisons = (boolean | undefined)[];

/** None without published medians of cells of this run. */
export function publishedFindings({ published, groups, runs }: RoutingModel): Findings[] {
  const pairs = groups.flatMap(({ factors, figures }) => {
    const publishedUs = publishedMedianUs(published, factors);
    const { medianUs } = figures?.rtt ?? { medianUs: Number.NaN };
    return publishedUs === undefined ? [] : [{ publishedUs, medianUs }];
  });
  const rttOf: RttOf = (architecture, services, rate) =>
    groups.find(({ factors }) => {
      return factors.architecture === architecture && factors.services === services && factors.rate === rate;
    })?.figures?.rtt;
  const rows = findings.flatMap(({ text, comparisons }) => {
    const known = comparisons(rttOf).filter((holds) => holds !== undefined);
    return known.length === 0 ? [] : [{ text, holding: known.filter(Boolean).length, of: known.length }];
  });
  if (pairs.length === 0 || rows.length === 0) return [];
  const isAssumed = runs.some(({ record }) => record.simulation?.assumed);
  return [
    {
      sentences: [errorSentence(pairs, isAssumed)],
      table: {
        id: 'published-findings',
        title: 'Findings of the published study',
        note: 'Comparisons of medians of this run that are as published, of all that it can make.',
        columns: [sentenceColumn('finding'), sentenceColumn('here'), numberColumn('as published')],
        rows: rows.map(({ text, holding, of }) => {
          const verdict = holding === of ? 'holds' : holding === 0 ? 'does not hold' : 'holds in part';
          return [text, verdict, `${holding} of ${of}`];
        }),
      },
    },
  ];
}

/** The error as a factor: predictions of overload span orders of magnitude. */
function errorSentence(pairs: readonly { publishedUs: number; medianUs: number }[], isAssumed: boolean): string {
  const ratios = sortedCopy(
    pairs.map(({ publishedUs, medianUs }) => medianUs / publishedUs).filter((ratio) => ratio > 0 && ratio < Infinity),
  );
  const [low, middle, high] = [0.05, 0.5, 0.95].map((share) => quantileOfSorted(ratios, share).toPrecision(2));
  const why = isAssumed ? ' The calibration is assumed, so this is no error of the model alone.' : '';
  return `Of ${pairs.length} cells with a published median, ${ratios.length} have one here: it is ${middle} times the published one in the middle, and from ${low} to ${high} times in nine of ten.${why}`;
}

const findings: readonly { text: string; comparisons: (rttOf: RttOf) => Comparisons }[] = [
  {
    text: '1. Mean RTT per service falls from central entity to 3 routers to 6 routers to sidecars, at every rate.',
    comparisons: (rttOf) =>
      rates.flatMap((rate) =>
        others.map((architecture, before) => {
          const ratios = sizes.flatMap((services) => {
            const [more, less] = [architectures[before] as string, architecture].map((one) =>
              rttOf(one, services, rate),
            );
            return more && less ? [{ more: more.medianUs / services, less: less.medianUs / services }] : [];
          });
          if (ratios.length === 0) return undefined;
          return ratios.reduce((sum, { more, less }) => sum + more - less, 0) > 0;
        }),
      ),
  },
  {
    text: '2. Central entity: from 100 to 500 req/s the median grows more than fivefold, from 500 to 1000 almost linearly.',
    comparisons: (rttOf) =>
      sizes.flatMap((services) => [
        ratioIn(rttOf(central, services, 500), rttOf(central, services, 100), 5, Infinity),
        ratioIn(rttOf(central, services, 1000), rttOf(central, services, 500), 1.5, 3),
      ]),
  },
  {
    text: '3. Routers and sidecars with 25 and 50 services: from 500 to 1000 req/s the median grows almost linearly.',
    comparisons: (rttOf) =>
      others.flatMap((one) => [25, 50].map((n) => ratioIn(rttOf(one, n, 1000), rttOf(one, n, 500), 1.5, 3))),
  },
  {
    text: '4. Sidecars: the median grows about linearly with the number of services, at every rate.',
    comparisons: (rttOf) => rates.map((rate) => ratioIn(rttOf('sidecar', 50, rate), rttOf('sidecar', 5, rate), 5, 20)),
  },
  {
    text: '5. The standard deviation falls from central entity to sidecars; the interquartile range, relative to the median, is narrowest for the central entity.',
    comparisons: (rttOf) =>
      rates.flatMap((rate) =>
        sizes.flatMap((services) => {
          const of = rttOf(central, services, rate);
          const sidecar = rttOf('sidecar', services, rate);
          const wider = others.map((one) => {
            const other = rttOf(one, services, rate);
            return of && other && spreadOf(of) < spreadOf(other);
          });
          return [of && sidecar && of.stdUs > sidecar.stdUs, ...wider];
        }),
      ),
  },
];

function ratioIn(more: Summary | undefined, less: Summary | undefined, low: number, high: number): boolean | undefined {
  if (!more || !less) return undefined;
  const ratio = more.medianUs / less.medianUs;
  return ratio >= low && ratio <= high;
}

function spreadOf({ q1Us, medianUs, q3Us }: Summary): number {
  return (q3Us - q1Us) / medianUs;
}
