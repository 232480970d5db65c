/** Reads observed values: numbers by name in YAML or JSON, or samples in the text format of Prometheus. */
import { TopoBenchError } from '@topo-bench/core';
import { parseSource, type SourceText } from '@topo-bench/topology';

/** The value of that name, with or without labels; undefined where the file has none. */
export type ObservedValue = (name: string) => number | undefined;

/** @throws TopoBenchError `TB_CONFIRM_METRICS`, also from the function for a name without one finite value */
export function observedValues(source: SourceText): ObservedValue {
  const { value } = parseSource(source);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ofSamples(source);
  return (name) => {
    if (!Object.hasOwn(value, name)) return undefined;
    const found = (value as Record<string, unknown>)[name];
    if (typeof found === 'number') return finite(found, name, source.file);
    throw metricsError(`${source.file}: ${name} is ${JSON.stringify(found)}, expected a number`);
  };
}

interface MetricSample {
  name: string;
  labels: ReadonlyMap<string, string>;
  value: number;
}

const labelList = '\\{(?:[^"}]|"(?:\\\\.|[^"\\\\])*")*\\}';
/** Prometheus, exposition formats, text-based format: `name{label="value"} value timestamp`. */
const sampleLine = new RegExp(`^([a-zA-Z_:][\\w:]*)\\s*(${labelList})?\\s+(\\S+)(?:\\s+-?\\d+)?$`);
const series = new RegExp(`^([a-zA-Z_:][\\w:]*)\\s*(${labelList})?$`);

function ofSamples({ text, file }: SourceText): ObservedValue {
  const samples = text.split(/\r?\n/).flatMap((line, index): MetricSample[] => {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) return [];
    const [, name, labels, value] = sampleLine.exec(trimmed) ?? [];
    if (name === undefined || value === undefined) {
      throw metricsError(`${file}:${index + 1}: neither a map of numbers nor a sample of Prometheus`);
    }
    return [{ name, labels: labelsOf(labels), value: Number(value.replace(/^([+-]?)Inf$/i, '$1Infinity')) }];
  });
  return (wanted) => {
    const [, name, given] = series.exec(wanted) ?? [];
    const labels = [...labelsOf(given)];
    const found = samples.filter(
      (one) => one.name === name && labels.every(([label, value]) => one.labels.get(label) === value),
    );
    if (found.length > 1) {
      throw metricsError(`${file}: ${found.length} series are named ${wanted}, expected one`);
    }
    const [only] = found;
    return only && finite(only.value, wanted, file);
  };
}

function labelsOf(text: string | undefined): Map<string, string> {
  const pairs = text?.matchAll(/([a-zA-Z_]\w*)\s*=\s*"((?:\\.|[^"\\])*)"/g) ?? [];
  return new Map([...pairs].map(([, label, value]) => [label as string, value as string]));
}

function finite(value: number, name: string, file: string): number {
  if (Number.isFinite(value)) return value;
  throw metricsError(`${file}: ${name} is ${value}, expected a finite number`);
}

function metricsError(message: string): TopoBenchError {
  return new TopoBenchError('TB_CONFIRM_METRICS', message, {
    hint: 'write `rate: 120`, or name one series in the confirmation: metric: \'requests:rate5m{job="shop"}\'',
  });
}
