/** The applications a login may be for. */
export type ApplicationType = 'web' | 'mobile' | 'designer' | 'admin';
