// @ts-check

// A worker is started from a file that Node reads unchanged, so it works from the sources and from a build alike.
import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { argon2d, argon2i, argon2id } from 'hash-wasm';

/** @typedef {import('@gatehouse/auth-core').HashJob} HashJob */

const ARGON2 = { argon2d, argon2i, argon2id };

/**
 * @param {HashJob} job
 * @returns {Promise<Uint8Array> | Uint8Array}
 */
function run(job) {
  switch (job.kind) {
    case 'argon2':
      return ARGON2[job.variant]({
        password: job.password,
        salt: job.salt,
        memorySize: job.memoryKib,
        iterations: job.passes,
        parallelism: job.lanes,
        hashLength: job.byteCount,
        outputType: 'binary',
      });
    case 'phpass':
      return phpass(job.password, job.salt, job.rounds);
    case 'sha-crypt':
      return shaCrypt(job.digest, job.password, job.salt, job.rounds);
  }
}

/**
 * @param {number} id
 * @param {HashJob} job
 */
async function answer(id, job) {
  parentPort?.postMessage({ id, key: await run(job) });
}

/**
 * @param {string} name
 * @param {readonly Uint8Array[]} parts
 */
function digest(name, parts) {
  const hash = createHash(name);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/**
 * @param {Uint8Array} password
 * @param {Uint8Array} salt
 * @param {number} rounds
 */
function phpass(password, salt, rounds) {
  let key = digest('md5', [salt, password]);
  for (let round = 0; round < rounds; round += 1) key = digest('md5', [key, password]);
  return key;
}

/**
 * The steps of "Unix crypt using SHA-256 and SHA-512", version 0.6.
 * @param {'sha256' | 'sha512'} name
 * @param {Uint8Array} password
 * @param {Uint8Array} salt
 * @param {number} rounds
 */
function shaCrypt(name, password, salt, rounds) {
  const inner = digest(name, [password, salt, password]);
  const first = [password, salt, repeated(inner, password.length)];
  for (let length = password.length; length > 0; length >>= 1) first.push(length & 1 ? inner : password);
  let key = digest(name, first);
  const passwordDigest = digest(
    name,
    Array.from({ length: password.length }, () => password),
  );
  const saltDigest = digest(
    name,
    Array.from({ length: 16 + key.readUInt8(0) }, () => salt),
  );
  const passwordPart = repeated(passwordDigest, password.length);
  const saltPart = repeated(saltDigest, salt.length);
  for (let round = 0; round < rounds; round += 1) {
    const isOdd = round % 2 === 1;
    const parts = [isOdd ? passwordPart : key];
    if (round % 3 !== 0) parts.push(saltPart);
    if (round % 7 !== 0) parts.push(passwordPart);
    parts.push(isOdd ? key : passwordPart);
    key = digest(name, parts);
  }
  return key;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} length
 */
function repeated(bytes, length) {
  const result = Buffer.alloc(length);
  if (length > 0) result.fill(bytes);
  return result;
}

parentPort?.on(
  'message',
  /** @param {{ id: number, job: HashJob }} message */
  ({ id, job }) => {
    void answer(id, job);
  },
);
