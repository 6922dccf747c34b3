/**
 * Tokens made once by other implementations and kept: by Python's hmac with the openssl command line,
 * and by jsonwebtoken with crypto-js. `tokenKey` is Python's hashlib over the signed part or the jti.
 */
export const KNOWN_SECRET = 'known-answer secret, 32 bytes or more: ünïcödé';

/** A moment at which all of them are valid. */
export const KNOWN_NOW_MS = 1_700_000_100_000;

export const KNOWN_TOKENS = {
  openssl: {
    token:
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJkYXRhIjoiVTJGc2RHVmtYMThBQVFJREJBVUdCeTgvSW5ab1BJU0tIbjFXNUFITXBKdTFxRUhrbEs3cEZKclUzUjhQUXNoUkxrNWF5eW9KK0RuZDZxMC82MlVBR2U5NGJpamZuMUZuQ0NHUTdLREt0eTZUMWNYSEVIK0tCeHBNZFBWL2Z0ZFEiLCJpYXQiOjE3MDAwMDAwMDAsImV4cCI6MTcwMDYwNDgwMH0.6V3tGwlGoPP5Z6ZKzLjXAD1KHYuCDPJ5JG5hG5GmL7s',
    tokenKey: 'eca56f438ee9fabb32b1c65874b830de4f08b3dbad83eb3e4211b871c4dca6c1',
    payload: { userId: 42, role: 1, defaultPaymentId: 2, accountId: 7, isPersonnel: false },
  },
  opensslWithTokenId: {
    token:
      'eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.eyJkYXRhIjoiVTJGc2RHVmtYMS93OGZMejlQWDI5dzNQZ25hLzRLT2FuOWZLVmp4MFlnMHNJYjA3MVIrK3F3TVF5Rzc4cENScHdsSGF0YjYzZjRNbXBYdExwQlJXNXdxNmJHU3BUSUJBYm5RbzZ3N2lIblk9IiwiaWF0IjoxNzAwMDAwMDAwLCJleHAiOjE3MDA2MDQ4MDAsImp0aSI6IjAwMTEyMjMzNDQ1NTY2Nzc4ODk5YWFiYmNjZGRlZWZmIn0.L61XRAgByE7VIIr-d5CDMsxr2CZQHCnjIiJAVbD11C0',
    tokenKey: '5947d7c33d783f94b3b4c1a96ebc8991ed28f1b069b71e03376cba8caa98a720',
    payload: { userId: 43, role: null, defaultPaymentId: 2, accountId: null, isPersonnel: false },
  },
  cryptoJs: {
    token:
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJkYXRhIjoiVTJGc2RHVmtYMStPZ09mZ21xV2ZjL1VGZTl5SEpDZGY0ckdmcDA4WXpwWGVyL2tic3F0M2JubHV1ZlRtWVR6NU9jMDRkc3JvOE8zUC9oMnRtbTBMT3FBYnEzeVZvbWxGc3pFdTZZN290dGZXWDlKcWxHTk01Q24vY0p0aTI0a0dvN2J6ejQxdFVqQzc0MXJCdU55a3BRPT0iLCJpYXQiOjE3MDAwMDAwMDAsImV4cCI6MTcwMDYwNDgwMH0.iorANCxP0gEc8extEArwyLRPGMpfnWG5wFedCalz0BE',
    tokenKey: 'd3a34f5a9285597a702575f3534416d22ac4993a003292f016bed537bb7b8bfa',
    payload: { userId: 44, role: 5, defaultPaymentId: 2, accountId: null, isPersonnel: false },
  },
};

/** An activation token of crypto-js, with nothing but a member and the type. */
export const KNOWN_ACTIVATION =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJkYXRhIjoiVTJGc2RHVmtYMThWMmhaS1cwNTRKM2tHekV0aEpTZWRtVWxCTFJuOUs3d0U4SDA5clBFUkd0MVdRbG9IWEcyNlhuMHphQkRpb1IvUS9UOGh6dVIxK0E9PSIsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjoxNzAwNjA0ODAwfQ.Qdt2YLWJYzhhWXQ3djL1M4IPFayGJFqKvzQHWL0n2pE';

/** A bearer without a token id. */
export const KNOWN_BEARER = {
  token:
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ1c2VySWQiOjQyLCJyb2xlIjoxLCJpc1BlcnNvbm5lbCI6dHJ1ZSwiaWF0IjoxNzAwMDAwMDAwLCJleHAiOjE3MDA2MDQ4MDB9.uUpzsQajZp_DXYOwd7actB2ypZphbWJ2B_j7K9Pnwlw',
  tokenKey: '4945ea2872b9adba64a33e7a72bd474cd85c8af90eb7deefd0d457158d489af6',
};

/** A partner JWT of jsonwebtoken, of the issuer `known-issuer`, for 3,600 seconds. */
export const KNOWN_PARTNER =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJwYXJ0bmVySWQiOjEsInBhcnRuZXJOYW1lIjoiQWNtZSIsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjoxNzAwMDAzNjAwLCJhdWQiOiJwYXJ0bmVyLWF1dGgiLCJpc3MiOiJrbm93bi1pc3N1ZXIifQ.JuCmGcfxFcaaM4HoNkPGDd4s9YtndoCE4eT2LP8lUp8';

/** What sealing the payload of `openssl` must give, with this salt and token id, at 1,700,000,000 s for 600 s. */
export const KNOWN_SEALED = {
  salt: '1011121314151617',
  jti: 'a0a1a2a3a4a5a6a7a8a9aaabacadaeaf',
  token:
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJkYXRhIjoiVTJGc2RHVmtYMThRRVJJVEZCVVdGL295a0RoV0pOWTlicGJWRVhUcWNPbWVtNmhET1FZRlRJVHVhNHBLTkpOMFVjTlJYZG13SFpKYWJZMFF3NXlmdlljTGhvSmFYSmZCQUpJR3NKc0lJY1IxdFVuWDhvdm1rUG9neGY4UFNMU2kiLCJqdGkiOiJhMGExYTJhM2E0YTVhNmE3YThhOWFhYWJhY2FkYWVhZiIsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjoxNzAwMDAwNjAwfQ.BN_6ztGlZzaJ6h7PvN9wmZfEdpNOqNYaI9iiPa_6-Q0',
};
