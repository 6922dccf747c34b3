/**
 * The page on which staff set up a passkey or an authenticator app. The token stays in this variable.
 * @type {string | undefined}
 */
let token;
/** @type {string | undefined} */
let challenge;
/** Whether the session has the ticket of a recovery. */
let hasTicket = false;
/** Whether the session is that of the console, in a cookie that no script can read. */
let isOfConsole = false;

/** The screen of the console that somebody came from. */
const origin = new URLSearchParams(location.search).get('next') ?? '';
const consoleUrl = URL.canParse(origin, location.origin) ? new URL(origin, location.origin) : undefined;
const isFromConsole =
  consoleUrl?.origin === location.origin && consoleUrl.pathname.startsWith('/console/') === true;

/**
 * @template {HTMLElement} Made
 * @param {string} id
 * @param {new () => Made} kind
 * @returns {Made}
 */
function byId(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`There is no ${id}`);
  return found;
}

const problem = byId('problem', HTMLElement);
const status = byId('status', HTMLElement);
const sections = ['signIn', 'step', 'choose', 'totp', 'done'];

/** @param {string} id */
function show(id) {
  for (const each of sections) byId(each, HTMLElement).hidden = each !== id;
  problem.textContent = '';
  byId(`${id}Title`, HTMLElement).focus();
}

/** A refusal of the service. */
class Refused extends Error {
  /** @param {{ message?: string, error?: { code?: string, challenge?: string } }} body */
  constructor(body) {
    super(body.message ?? 'The service did not answer as expected.');
    this.code = body.error?.code;
    this.challenge = body.error?.challenge;
  }
}

/**
 * The fields of all answers that are read here.
 * @typedef {object} Data
 * @property {string} token
 * @property {number} passkeys
 * @property {object | null} totp
 * @property {object | null} recovery
 * @property {{ level: number } | null} requiredBy
 * @property {string} flow
 * @property {PublicKeyCredentialCreationOptionsJSON} options
 * @property {string} secret
 * @property {string} uri
 * @property {readonly string[]} [backupCodes]
 */

/** @typedef {{ data: Data, backupCodes?: readonly string[], message?: string, error?: { code?: string, challenge?: string } }} Answer */

/**
 * @param {string} name
 * @param {object} input
 * @returns {Promise<Answer>}
 */
async function call(name, input) {
  const response = await fetch(`/v1/${name.replace('.', '/')}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(isOfConsole ? { 'X-Gatehouse-Client': 'cookie' } : {}),
      ...(token === undefined ? {} : { [tokenHeader]: token }),
    },
    body: JSON.stringify(input),
  });
  const text = await response.text();
  /** @type {Answer} */
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- The page comes from the service that answers.
  const body = text.startsWith('{') ? JSON.parse(text) : { message: text };
  if (!response.ok) throw new Refused(body);
  return body;
}

const tokenHeader = new URL(import.meta.url).searchParams.get('header') ?? 'Token';

/** @param {() => Promise<void>} action */
async function attempt(action) {
  problem.textContent = '';
  status.textContent = 'One moment …';
  try {
    await action();
  } catch (error) {
    const line = document.createElement('p');
    line.className = 'bad';
    line.textContent = error instanceof Error ? error.message : String(error);
    problem.replaceChildren(line);
  } finally {
    status.textContent = '';
  }
}

/**
 * @param {string} section
 * @param {() => Promise<void>} action
 */
function onSubmit(section, action) {
  byId(section, HTMLElement)
    .querySelector('form')
    ?.addEventListener('submit', (event) => {
      event.preventDefault();
      void attempt(action);
    });
}

/** @param {string} id */
const typedIn = (id) => byId(id, HTMLInputElement).value.trim();

/** @param {string} text */
function line(text) {
  const item = document.createElement('li');
  item.textContent = text;
  return item;
}

/** @param {{ token: string }} session */
async function signedIn(session) {
  token = session.token;
  await offerFactors();
}

async function offerFactors() {
  const { data } = await call('factor.list', {});
  byId('has', HTMLElement).replaceChildren(
    line(`Passkeys: ${data.passkeys}`),
    line(data.totp === null ? 'No authenticator app' : 'An authenticator app'),
    ...(data.requiredBy === null ? [] : [line(`Your work asks for level ${data.requiredBy.level}`)]),
  );
  const hasFactor = data.passkeys > 0 || data.totp !== null;
  byId('proof', HTMLElement).hidden = hasFactor;
  byId('recovery', HTMLElement).hidden = !hasFactor || hasTicket || data.recovery === null;
  show('choose');
}

function proof() {
  if (typedIn('ticket') !== '') return { proof: { ticket: typedIn('ticket') } };
  if (typedIn('emailCode') !== '') return { proof: { emailCode: typedIn('emailCode') } };
  return {};
}

/** @param {{ backupCodes?: readonly string[] } | undefined} data */
function finished(data) {
  const codes = data?.backupCodes ?? [];
  byId('backupText', HTMLElement).hidden = codes.length === 0;
  byId('backupCodes', HTMLElement).replaceChildren(...codes.map(line));
  byId('onward', HTMLElement).hidden = !isFromConsole;
  if (isFromConsole && consoleUrl !== undefined) byId('next', HTMLAnchorElement).href = consoleUrl.href;
  show('done');
}

/** Goes on with the session of the console that somebody came from. */
async function useSessionOfConsole() {
  isOfConsole = true;
  try {
    await offerFactors();
  } catch (error) {
    isOfConsole = false;
    if (!(error instanceof Refused) || error.code !== 'unauthorized') throw error;
  }
}

if (isFromConsole) void attempt(useSessionOfConsole);

onSubmit('signIn', async () => {
  try {
    const { data } = await call('signIn.password', {
      email: typedIn('email'),
      password: byId('password', HTMLInputElement).value,
    });
    await signedIn(data);
  } catch (error) {
    if (!(error instanceof Refused) || error.challenge === undefined) throw error;
    challenge = error.challenge;
    show('step');
  }
});

onSubmit('step', async () => {
  const code = typedIn('code');
  hasTicket = /^[\w-]{43}$/.test(code);
  const sent = hasTicket ? { ticket: code } : /^[\d\s-]{6,8}$/.test(code) ? { code } : { backupCode: code };
  const { data } = await call('signIn.step', { challenge, ...sent });
  await signedIn(data);
});

byId('proof', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
});

byId('recovery', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  void attempt(async () => {
    await call('verification.prove', { ticket: typedIn('recoveryTicket') });
    byId('recovery', HTMLElement).hidden = true;
    byId('addPasskey', HTMLButtonElement).focus();
  });
});

byId('sendCode', HTMLButtonElement).addEventListener('click', () => {
  void attempt(async () => {
    await call('verification.sendEmail', {});
    byId('emailCode', HTMLInputElement).focus();
  });
});

byId('addPasskey', HTMLButtonElement).addEventListener('click', () => {
  void attempt(async () => {
    const { data } = await call('passkey.addOptions', {});
    const { flow, options } = data;
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    const made = await navigator.credentials.create({ publicKey });
    if (!(made instanceof PublicKeyCredential)) throw new Error('The browser made no passkey.');
    const added = await call('passkey.add', { flow, response: made.toJSON(), ...proof() });
    finished(added);
  });
});

byId('addTotp', HTMLButtonElement).addEventListener('click', () => {
  void attempt(async () => {
    const { data } = await call('totp.start', {});
    byId('secret', HTMLElement).textContent = data.secret;
    byId('uri', HTMLAnchorElement).href = data.uri;
    show('totp');
  });
});

onSubmit('totp', async () => {
  const { data } = await call('totp.confirm', { code: typedIn('totpCode'), ...proof() });
  finished(data);
});
