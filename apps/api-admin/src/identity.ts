export const SERVICE_NAME = 'api-admin';
export const SERVICE_VERSION = '0.1.0';
