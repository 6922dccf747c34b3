/** The variables that the server itself reads. */
export interface HttpConfig {
  readonly NODE_ENV: string;
  readonly APP_URL: string;
  readonly BASE_URL: string;
  readonly CORS_ORIGINS: readonly string[];
  readonly COOKIE_ORIGINS: readonly string[];
  readonly TOKEN_HEADER_KEY: string;
  readonly TRUSTED_PROXIES: readonly string[];
  readonly HEADERS_TIMEOUT_MS: number;
  readonly REQUEST_TIMEOUT_MS: number;
  readonly HANDLER_TIMEOUT_MS: number;
  readonly KEEP_ALIVE_TIMEOUT_MS: number;
  readonly METRICS_TOKEN?: string | undefined;
}
