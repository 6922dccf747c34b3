import type { Target } from './target.js';
import type { BenchWorld } from './world.js';

/** The options of one run of the bench. */
export interface BenchSettings {
  readonly database: 'libsql' | 'mariadb';
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
}

/** The world of a section. Targets that it starts end with the bench. */
export interface Bench {
  readonly world: BenchWorld;
  readonly settings: BenchSettings;
  start(program: string, options?: { payload?: object; env?: Record<string, string> }): Promise<Target>;
  say(text: string): void;
}

/** One bar of the chart; `ours` are highlighted. */
interface Bar {
  readonly label: string;
  readonly value: number;
  readonly ours: boolean;
}

export interface BarGroup {
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
}

/** The result of one section: Markdown and chart data. */
export interface Section {
  readonly title: string;
  readonly text: string;
  readonly chart: readonly BarGroup[];
}
