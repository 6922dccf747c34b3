import { AppError } from '@gatehouse/auth-core';
import { z } from 'zod';
import { reachAccount } from '../../../core/guard/account-access.js';
import { judgeAgain } from '../../../core/guard/guarded.js';
import { staffScopedProcedure } from '../../../core/guard/procedures.js';
import { analysisCommand } from './analysis-command.js';
import { argumentText } from './argument-text.js';
import { conversationLines } from './conversation-lines.js';
import { runProgram } from './run-program.js';

const MOST_OUTPUT_BYTES = 1_000_000;

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
export const analyze = staffScopedProcedure('knowledge.analyze')
  .input(input)
  .output(z.object({ data: z.unknown() }))
  .mutation(async ({ ctx, input: { accountId, languageModelId, topic } }) => {
    const requireAccess = async (): Promise<void> => {
      const { caller } = await judgeAgain(ctx);
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
        mostOutputBytes: MOST_OUTPUT_BYTES,
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
