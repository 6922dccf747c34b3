export const SERVICE_NAME = 'api-admin';
