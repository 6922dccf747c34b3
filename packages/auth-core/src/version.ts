/** The version of this release: of both services, the command line and the client. */
export const VERSION = '0.1.0';
