export const SERVICE_NAME = 'api-main';
export const SERVICE_VERSION = '0.1.0';
