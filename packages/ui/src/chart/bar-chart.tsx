import { type ReactElement, useState } from 'react';
import { t } from '../messages/translate.js';
import { Card } from '../parts/card.js';

/** One of the parts that a bar is made of. */
export interface Series {
  readonly name: string;
  readonly tone: Tone;
}

export interface Bar {
  /** The short label below it. */
  readonly label: string;
  /** The same in full, for the table. */
  readonly name: string;
  /** One for each series, from below. */
  readonly values: readonly number[];
  /** All of them together, in the previous period: a second bar beside this one. */
  readonly before?: number | undefined;
}

type Tone = 'harbour' | 'lantern' | 'brick';

const FILLS: Readonly<Record<Tone, string>> = {
  harbour: 'fill-harbour',
  lantern: 'fill-lantern',
  brick: 'fill-brick',
};

/** The period before is drawn in the color of less important things, and only outlined. */
const BEFORE = 'fill-well stroke-edge';

/** The maximum number of bars with words below them. */
const LABELS = 7;

/** Bars of several parts over time: one sentence that says what they show, the picture, and the same as a table. */
export function BarChart({
  title,
  summary,
  over,
  series,
  bars,
  shownNumber,
  beforeName = '',
}: {
  readonly title: string;
  readonly summary: string;
  /** The unit of the bars, such as days; the header of the table's first column. */
  readonly over: string;
  readonly series: readonly Series[];
  readonly bars: readonly Bar[];
  readonly shownNumber: (value: number) => string;
  /** The name of the period before. */
  readonly beforeName?: string;
}): ReactElement {
  const [isTable, setTable] = useState(false);
  if (bars.every(({ values }) => sumOf(values) === 0)) {
    return (
      <Card title={title}>
        <p className="p-3 text-quiet">{summary}</p>
      </Card>
    );
  }
  return (
    <Card
      title={title}
      aside={
        <button
          type="button"
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
          className="min-h-6 cursor-pointer text-harbour underline decoration-1 underline-offset-3 hover:decoration-2"
        >
          {t('ui.chart.table')}
          <span className="sr-only"> {title}</span>
        </button>
      }
    >
      <div className="flex flex-col gap-3 p-3">
        <p className="text-quiet">{summary}</p>
        {isTable ? (
          <Table
            title={title}
            over={over}
            series={series}
            bars={bars}
            shownNumber={shownNumber}
            beforeName={beforeName}
          />
        ) : (
          <Picture
            summary={summary}
            series={series}
            bars={bars}
            shownNumber={shownNumber}
            beforeName={beforeName}
          />
        )}
      </div>
    </Card>
  );
}

function Picture({
  summary,
  series,
  bars,
  shownNumber,
  beforeName,
}: {
  readonly summary: string;
  readonly series: readonly Series[];
  readonly bars: readonly Bar[];
  readonly shownNumber: (value: number) => string;
  readonly beforeName: string;
}): ReactElement {
  const [read, setRead] = useState<string>();
  const step = roundStep(
    Math.max(1, ...bars.map(({ values, before = 0 }) => Math.max(before, sumOf(values)))),
  );
  const most = step.by * step.times;
  const isCompared = hasBefore(bars);
  const each = 100 / bars.length;
  const everyNth = Math.ceil(bars.length / LABELS);
  const lines = Array.from({ length: step.times }, (_, nth) => (nth + 1) * step.by);
  const inWords = (name: string, values: readonly number[], before: number | undefined) =>
    [
      name,
      ...values.map((value, part) => `${series[part]?.name ?? ''} ${shownNumber(value)}`),
      ...(before === undefined ? [] : [`${beforeName} ${shownNumber(before)}`]),
    ].join(' · ');
  return (
    <>
      <div className="relative mt-4 h-52">
        {lines.map((value) => (
          <span
            key={value}
            aria-hidden="true"
            style={{ bottom: `${(value / most) * 100}%` }}
            className="absolute inset-x-0 translate-y-1/2 border-t border-line"
          >
            <span className="absolute start-0 bottom-0 font-mono text-note text-quiet">
              {shownNumber(value)}
            </span>
          </span>
        ))}
        <svg
          role="img"
          aria-label={summary}
          className="relative h-full w-full border-b border-edge ps-10"
          preserveAspectRatio="none"
          onPointerLeave={() => setRead(undefined)}
        >
          {bars.map(({ name, values, before }, index) => (
            <g key={name} className="group" onPointerEnter={() => setRead(inWords(name, values, before))}>
              <rect
                x={`${index * each}%`}
                width={`${each}%`}
                height="100%"
                className="fill-transparent group-hover:fill-well"
              />
              {before === undefined ? null : (
                <rect
                  x={`${(index + 0.12) * each}%`}
                  width={`${0.32 * each}%`}
                  y={`${100 - (before / most) * 100}%`}
                  height={`${(before / most) * 100}%`}
                  className={BEFORE}
                />
              )}
              {values.map((value, part) => {
                const below = sumOf(values.slice(0, part));
                return (
                  <rect
                    key={series[part]?.name}
                    x={`${(index + (isCompared ? 0.48 : 0.12)) * each}%`}
                    width={`${(isCompared ? 0.4 : 0.76) * each}%`}
                    y={`${100 - ((below + value) / most) * 100}%`}
                    height={`${(value / most) * 100}%`}
                    className={FILLS[series[part]?.tone ?? 'harbour']}
                  />
                );
              })}
            </g>
          ))}
        </svg>
      </div>
      <div aria-hidden="true" className="flex ps-10 text-note text-quiet">
        {bars.map(({ name, label }, index) => (
          <span
            key={name}
            className="flex min-w-0 flex-1 justify-start overflow-visible whitespace-nowrap rows:justify-center"
          >
            {index % everyNth === 0 ? (
              // On a phone there is room for every second one.
              <span className={index % (2 * everyNth) === 0 ? '' : 'invisible rows:visible'}>{label}</span>
            ) : null}
          </span>
        ))}
      </div>
      <p aria-hidden="true" className="min-h-4.5 text-note font-semibold">
        {read}
      </p>
      <ul className="flex flex-wrap gap-x-5 gap-y-1 text-note">
        {series.map(({ name, tone }, part) => (
          <li key={name} className="flex items-center gap-1.5">
            <svg width="12" height="12" aria-hidden="true">
              <rect width="12" height="12" className={FILLS[tone]} />
            </svg>
            {name}{' '}
            <span className="font-semibold">
              {shownNumber(sumOf(bars.map(({ values }) => values[part] ?? 0)))}
            </span>
          </li>
        ))}
        {isCompared ? (
          <li className="flex items-center gap-1.5">
            <svg width="12" height="12" aria-hidden="true">
              <rect width="12" height="12" className={BEFORE} />
            </svg>
            {beforeName}{' '}
            <span className="font-semibold">{shownNumber(sumOf(bars.map(({ before = 0 }) => before)))}</span>
          </li>
        ) : null}
      </ul>
    </>
  );
}

function Table({
  title,
  over,
  series,
  bars,
  shownNumber,
  beforeName,
}: {
  readonly title: string;
  readonly over: string;
  readonly series: readonly Series[];
  readonly bars: readonly Bar[];
  readonly shownNumber: (value: number) => string;
  readonly beforeName: string;
}): ReactElement {
  const isCompared = hasBefore(bars);
  return (
    <table className="w-full" aria-label={title}>
      <thead>
        <tr className="border-b border-line text-note text-quiet">
          <th scope="col" className="py-2 pe-3 text-start font-normal">
            {over}
          </th>
          {series.map(({ name }) => (
            <th key={name} scope="col" className="py-2 ps-3 text-end font-normal">
              {name}
            </th>
          ))}
          {isCompared ? (
            <th scope="col" className="py-2 ps-3 text-end font-normal">
              {beforeName}
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {bars.map(({ name, values, before }) => (
          <tr key={name} className="border-b border-line">
            <th scope="row" className="py-1.5 pe-3 text-start font-normal">
              {name}
            </th>
            {values.map((value, part) => (
              <td key={series[part]?.name} className="py-1.5 ps-3 text-end font-mono">
                {shownNumber(value)}
              </td>
            ))}
            {isCompared ? (
              <td className="py-1.5 ps-3 text-end font-mono text-quiet">{shownNumber(before ?? 0)}</td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The most lines across a chart. */
const LINES = 4;

/** The lines of a chart up to a number: the distance of two of them, which is round, and how many there are. */
function roundStep(most: number): { readonly by: number; readonly times: number } {
  const power = 10 ** Math.floor(Math.log10(most / LINES));
  const [by = most] = [1, 2, 5, 10]
    .map((each) => Math.max(1, each * power))
    .filter((each) => each * LINES >= most);
  return { by, times: Math.ceil(most / by) };
}

const hasBefore = (bars: readonly Bar[]): boolean => bars.some(({ before }) => before !== undefined);

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
