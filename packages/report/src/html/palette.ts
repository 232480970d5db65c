/**
 * One colour per level, the same in every chart. An architecture has the same colour in every report, by its rank in
 * reading order. Colour is never the only way to identify a level.
 */
import { architectures } from '@topo-bench/core';
import { architectureRank, type Factor, type Level } from '../model/factors.ts';

/** Shades for levels of one architecture that differ in their count. Levels share the shade of a hue with only one. */
interface Hue {
  light: readonly string[];
  dark: readonly string[];
}

const grey: Hue = { light: ['#737c86'], dark: ['#9aa3ad'] };
const orange: Hue = { light: ['#c4510c'], dark: ['#f08c4f'] };
const blue: Hue = { light: ['#1f6fb2', '#4b93cc', '#174e7d'], dark: ['#62a8e5', '#9ccbf2', '#3f83bd'] };
const green: Hue = { light: ['#0a8666'], dark: ['#46bf9c'] };
const purple: Hue = { light: ['#a3478a'], dark: ['#d68cc4'] };
const ochre: Hue = { light: ['#8a6d00'], dark: ['#d3b54a'] };

/** Hues by rank of the architecture. */
const ofArchitectures = [grey, orange, blue, green, purple, ochre];
/** Hues by index of the level, for any other factor. */
const ofLevels = [blue, orange, green, purple, ochre, grey];

/** CSS class of the level's colour, defined in the style sheet. */
export function colourClass(factor: Factor | undefined, level: Level): string {
  const rank = factor?.name === 'architecture' ? architectureRank(level) : architectures.length;
  if (!factor || rank === architectures.length) {
    return `k-${Math.max(0, factor?.levels.indexOf(level) ?? 0) % ofLevels.length}`;
  }
  const hue = rank % ofArchitectures.length;
  const alike = factor.levels.filter((one) => architectureRank(one) === rank);
  return `k-a${hue}-${Math.max(0, alike.indexOf(level)) % ofArchitectures[hue]!.light.length}`;
}

/** CSS variable of that class, for drawings that set colours as attributes. */
export function colourVariable(factor: Factor | undefined, level: Level): string {
  return `--${colourClass(factor, level)}`;
}

/** CSS variables of one colour scheme, for the style sheet. */
export function colourVariables(scheme: keyof Hue): string {
  return [...colours(scheme)].map(([name, colour]) => `--k-${name}:${colour}`).join(';');
}

/** One CSS class per colour, for the style sheet. */
export function colourClasses(): string {
  return [...colours('light').keys()].map((name) => `.k-${name}{--c:var(--k-${name})}`).join('');
}

function colours(scheme: keyof Hue): Map<string, string> {
  const shades = ofArchitectures.flatMap((hue, rank) =>
    hue[scheme].map((colour, i) => [`a${rank}-${i}`, colour] as const),
  );
  return new Map([...shades, ...ofLevels.map((hue, i) => [String(i), hue[scheme][0]!] as const)]);
}
