#!/usr/bin/env node
import { createInterface } from 'node:readline';

/*
 * The analysis program that comes with Gatehouse. It is called as
 *
 *   summarise-conversations.mjs -- <account id> <language model id> <topic>
 *
 * with the account's conversations as JSON lines on standard input, and answers with one JSON object on standard
 * output. It asks no language model: it says what the conversations hold about the topic, in their own words.
 */

/**
 * @typedef {{ id: number, title: string, subject: string | null, part: number,
 *   messages: { memberId: number, at: string, body: string }[] }} ConversationLine
 * @typedef {{ conversationId: number, title: string, mentions: number, excerpt: string, best: number }} Finding
 */

const MOST_FINDINGS = 5;
const MOST_KEYWORDS = 8;
const LONGEST_EXCERPT = 240;
const COMMON_WORDS = new Set(
  `about after all also and any are because been before but can could did does done for from had has have her here him
  his how into its just like more most much not now one only other our out over she should some such than that the
  their them then there these they this those through too two until very was were what when where which while who will
  with would yes yet you your`.split(/\s+/),
);

/** @param {string} text */
function wordsOf(text) {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).filter((word) => word.length > 2 && !COMMON_WORDS.has(word));
}

/** A word is about a topic when one of the two is the beginning of the other: `parcel` and `parcels`.
 * @param {string} word
 * @param {readonly string[]} topicWords
 */
function isAbout(word, topicWords) {
  return topicWords.some((topic) => word.startsWith(topic) || (word.length > 3 && topic.startsWith(word)));
}

/** @param {string} text */
function excerptOf(text) {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= LONGEST_EXCERPT
    ? line
    : `${characters.slice(0, LONGEST_EXCERPT - 1).join('')}…`;
}

/** @param {readonly string[]} words */
function countWords(words) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/**
 * @param {AsyncIterable<string>} lines
 * @param {string} topic
 */
async function summarise(lines, topic) {
  const topicWords = [...new Set(wordsOf(topic))];
  /** @type {Map<number, Finding>} */
  const findings = new Map();
  /** @type {Map<string, number>} */
  const keywords = new Map();
  const conversations = new Set();
  const participants = new Set();
  let messages = 0;
  let mentions = 0;
  let first = '';
  let last = '';

  for await (const line of lines) {
    if (line === '') continue;
    /** @type {ConversationLine} */
    const conversation = JSON.parse(line);
    conversations.add(conversation.id);
    const headWords = wordsOf(`${conversation.title} ${conversation.subject ?? ''}`);
    const isHeadAbout = headWords.some((word) => isAbout(word, topicWords));
    for (const { memberId, at, body } of conversation.messages) {
      messages += 1;
      participants.add(memberId);
      if (first === '' || at < first) first = at;
      if (at > last) last = at;
      const words = wordsOf(body);
      const score = words.filter((word) => isAbout(word, topicWords)).length;
      if (score === 0 && !isHeadAbout) continue;
      mentions += 1;
      for (const [word, count] of countWords(words)) keywords.set(word, (keywords.get(word) ?? 0) + count);
      const known = findings.get(conversation.id);
      const isBest = known === undefined || score > known.best;
      findings.set(conversation.id, {
        conversationId: conversation.id,
        title: conversation.title,
        mentions: (known?.mentions ?? 0) + 1,
        excerpt: isBest ? excerptOf(body) : known.excerpt,
        best: isBest ? score : known.best,
      });
    }
  }

  const byMentions = [...findings.values()].toSorted(
    (one, other) => other.mentions - one.mentions || other.conversationId - one.conversationId,
  );
  const topKeywords = [...keywords]
    .toSorted(([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1))
    .slice(0, MOST_KEYWORDS)
    .map(([word, count]) => ({ word, count }));
  return {
    conversations: conversations.size,
    messages,
    participants: participants.size,
    firstMessageAt: first === '' ? null : first,
    lastMessageAt: last === '' ? null : last,
    conversationsAboutTopic: findings.size,
    messagesAboutTopic: mentions,
    keywords: topKeywords,
    findings: byMentions
      .slice(0, MOST_FINDINGS)
      .map(({ conversationId, title, mentions: count, excerpt }) => ({
        conversationId,
        title,
        mentions: count,
        excerpt,
      })),
    summary: sentenceOf({ messages, mentions, conversations: conversations.size, byMentions, topKeywords }),
  };
}

/** @param {{ messages: number, mentions: number, conversations: number, byMentions: Finding[], topKeywords: { word: string }[] }} facts */
function sentenceOf({ messages, mentions, conversations, byMentions, topKeywords }) {
  const [most] = byMentions;
  if (messages === 0) return 'The account has no messages yet.';
  if (most === undefined)
    return `None of the ${messages} messages in ${conversations} conversations is about this topic.`;
  const words = topKeywords.map(({ word }) => word).join(', ');
  return [
    `${mentions} of ${messages} messages, in ${byMentions.length} of ${conversations} conversations, are about this topic.`,
    `Most of them are in “${most.title}”.`,
    `The words used most: ${words}.`,
  ].join(' ');
}

const values = process.argv.slice(process.argv.indexOf('--') + 1);
const [accountId, languageModelId, topic] = values;
if (!process.argv.includes('--') || values.length !== 3 || topic === undefined) {
  process.stderr.write('usage: summarise-conversations.mjs -- <account id> <language model id> <topic>\n');
  process.exit(2);
}
const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
const summary = await summarise(lines, topic);
process.stdout.write(
  `${JSON.stringify({ accountId: Number(accountId), languageModelId, topic, ...summary })}\n`,
);
