/** Options as the service sends them, which browsers parse. */
export type OptionsJson = Readonly<Record<string, unknown>> & { readonly challenge: string };

/** A flow and its options: of `signIn.passkeyOptions`, `signIn.stepOptions` or `verification.options`. */
export interface AskedPasskey {
  readonly flow: string;
  readonly options: OptionsJson & { readonly rpId: string };
}

/** What browsers pass to password managers, so that they keep no stale passkeys. */
export interface Signals {
  readonly rpId: string;
  readonly userId: string | null;
  readonly allAcceptedCredentialIds: readonly string[];
  readonly name: string;
  readonly displayName: string;
}

/** A new session. */
export interface PasskeySession {
  readonly userId: number;
  readonly role: number;
  readonly accountId: number | null;
  readonly isPersonnel: boolean;
  readonly level: number;
  readonly methods: readonly string[];
  readonly requires: { readonly level: number; readonly by: 'staff' | 'account' } | null;
  readonly prompts: readonly string[];
  /** When it ends unless it is refreshed, as an ISO 8601 instant. */
  readonly expiresAt: string;
}

/** The parts of a client that passkeys need: one of `createMainClient` or `createAdminClient`. */
export interface PasskeyClient {
  readonly api: {
    readonly signIn: {
      readonly passkeyOptions: { mutate(input: Record<string, never>): Promise<{ data: AskedPasskey }> };
      readonly passkey: {
        mutate(
          input: { flow: string; response: unknown; withoutSso?: boolean | undefined },
          options?: object,
        ): Promise<{ data: PasskeySession & { token?: string | undefined } }>;
      };
    };
    readonly passkey: {
      readonly addOptions: {
        mutate(
          input: { auto?: boolean },
          options?: object,
        ): Promise<{ data: { flow: string; options: OptionsJson } }>;
      };
      readonly add: {
        mutate(
          input: { flow: string; response: unknown; name?: string | undefined; proof?: unknown },
          options?: object,
        ): Promise<{
          data: { id: number; name: string };
          backupCodes?: string[] | undefined;
          signals: Signals;
        }>;
      };
    };
  };
  adoptSession(session: { token?: string | undefined; expiresAt: string }): void;
}
