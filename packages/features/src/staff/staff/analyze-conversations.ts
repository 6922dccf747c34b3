import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { listConversations, listMessages } from '@gatehouse/db/queries/conversations';
import { z } from 'zod';
import { reachAccount } from '../../core/guard/account-access.js';
import { reauthorize } from '../../core/guard/guarded.js';
import { procedure } from '../../core/guard/procedure.js';
import { runProgram } from './run-program.js';

/** A program and the arguments before its values. */
interface AnalysisCommand {
  readonly file: string;
  readonly leading: readonly string[];
}

/** The program of ANALYSIS_PROGRAM, or the default one of this deployment. Node runs a JavaScript file. */
function analysisCommand(program: string | undefined): AnalysisCommand {
  const shipped = new URL('../../../analysis/summarise-conversations.mjs', import.meta.url);
  const file = program ?? fileURLToPath(shipped);
  if (/\.[cm]?js$/.test(file)) return { file: process.execPath, leading: [resolve(file)] };
  return { file: file.includes('/') ? resolve(file) : file, leading: [] };
}

/** Characters that an argument of a program cannot contain: it would arrive cut off or changed. */
const UNPASSABLE = /[\0\p{Surrogate}]/u;

/**
 * Text of 1 to `maxLength` UTF-16 units that a program gets exactly as sent. Line breaks and tabs are
 * allowed.
 */
function argumentText(maxLength: number) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .refine((text) => !UNPASSABLE.test(text), {
      message: 'must not contain a NUL character or broken Unicode',
    });
}

const CONVERSATIONS_AT_ONCE = 50;

const MESSAGES_PER_LINE = 500;

/**
 * The conversations of an account as JSON lines, newest first: `{ id, title, subject, createdAt, part,
 * messages: [{ memberId, at, body }] }`. A long conversation takes several lines, numbered by `part` from 1.
 * They contain no names or addresses.
 *
 * @param requireAccess called before each read; throws if the reader has lost access
 */
async function* conversationLines(
  db: Database,
  accountId: number,
  requireAccess: () => Promise<void>,
): AsyncGenerator<string> {
  let beforeId: number | undefined;
  for (;;) {
    await requireAccess();
    const conversations = await listConversations(db, accountId, { beforeId, limit: CONVERSATIONS_AT_ONCE });
    for (const { id, title, subject, createdAtMs } of conversations) {
      const head = {
        id,
        title,
        subject: subject?.name ?? null,
        createdAt: new Date(createdAtMs).toISOString(),
      };
      let afterId = 0;
      for (let part = 1; ; part += 1) {
        await requireAccess();
        const rows = await listMessages(db, id, { afterId, limit: MESSAGES_PER_LINE });
        const messages = rows.map((row) => ({
          memberId: row.memberId,
          at: new Date(row.createdAtMs).toISOString(),
          body: row.body,
        }));
        yield `${JSON.stringify({ ...head, part, messages })}\n`;
        afterId = rows.at(-1)?.id ?? 0;
        if (rows.length < MESSAGES_PER_LINE) break;
      }
    }
    beforeId = conversations.at(-1)?.id;
    if (conversations.length < CONVERSATIONS_AT_ONCE) return;
  }
}

const MAX_OUTPUT_BYTES = 1_000_000;

const input = z.object({
  accountId: z.number().int().positive(),
  languageModelId: z.union([z.number().int(), argumentText(200)]),
  topic: argumentText(2_000),
});

/**
 * Runs the analysis program on an account's conversations. Its arguments are `--`, the account, the language
 * model and the topic. It reads the conversations as JSON lines, and answers with one JSON value. It runs
 * outside a transaction, so the caller's access is checked before each page it reads, and before the answer.
 */
export const analyze = procedure({ who: 'staff', permission: 'knowledge.analyze', inAccounts: true })
  .input(input)
  .output(z.object({ data: z.unknown() }))
  .mutation(async ({ ctx, input: { accountId, languageModelId, topic } }) => {
    const requireAccess = async (): Promise<void> => {
      const { caller } = await reauthorize(ctx);
      await reachAccount(ctx, caller, accountId, { permission: 'knowledge.analyze' });
    };
    const { config, db, analyses } = ctx.services;
    await requireAccess();
    const { file, leading } = analysisCommand(config.ANALYSIS_PROGRAM);
    const printed = await analyses.run(() =>
      runProgram({
        file,
        args: [...leading, '--', String(accountId), String(languageModelId), topic],
        input: conversationLines(db, accountId, requireAccess),
        timeoutMs: config.ANALYSIS_TIMEOUT_SECONDS * 1000,
        mostOutputBytes: MAX_OUTPUT_BYTES,
      }),
    );
    await requireAccess();
    return { data: parsedOutput(printed) };
  });

function parsedOutput(printed: string): unknown {
  try {
    return JSON.parse(printed);
  } catch (cause) {
    throw new AppError('analysis_failed', { detail: 'the analysis program: it printed no JSON', cause });
  }
}
