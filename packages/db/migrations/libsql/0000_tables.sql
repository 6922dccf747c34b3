CREATE TABLE `members` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`sid` text NOT NULL,
	`sid_key` text NOT NULL,
	`username` text NOT NULL,
	`username_key` text NOT NULL,
	`first_name` text NOT NULL,
	`first_name_key` text NOT NULL,
	`last_name` text NOT NULL,
	`last_name_key` text NOT NULL,
	`email` text,
	`email_key` text,
	`email_confirmed_at_ms` integer,
	`owner_proven_at_ms` integer,
	`pending_email` text,
	`pending_email_key` text,
	`pending_awaits` text,
	`pending_since_ms` integer,
	`pending_effective_at_ms` integer,
	`password` text NOT NULL,
	`password_is_plain` integer DEFAULT false NOT NULL,
	`password_rounds` integer,
	`password_delay_ms` integer,
	`password_changed_at_ms` integer,
	`password_listed_at_ms` integer,
	`has_password` integer DEFAULT true NOT NULL,
	`locale` text DEFAULT 'en' NOT NULL,
	`role_type` integer NOT NULL,
	`role` text NOT NULL,
	`banned_role_type` integer,
	`banned_until_ms` integer,
	`banned_at_ms` integer,
	`banned_by_id` integer,
	`ban_reason` text,
	`is_machine` integer DEFAULT false NOT NULL,
	`is_personnel` integer DEFAULT false NOT NULL,
	`personnel_ended_at_ms` integer,
	`is_deleted` integer DEFAULT false NOT NULL,
	`deleted_at_ms` integer,
	`deleted_by_id` integer,
	`erases_at_ms` integer,
	`erased_at_ms` integer,
	`auth_token_digest` text,
	`auth_token_expires_at_ms` integer,
	`session_epoch` integer DEFAULT 0 NOT NULL,
	`tokens_valid_after_ms` integer DEFAULT 0 NOT NULL,
	`factor_epoch` integer DEFAULT 0 NOT NULL,
	`second_factor` integer DEFAULT false NOT NULL,
	`email_step` integer DEFAULT false NOT NULL,
	`passkey_user_id` text,
	`impersonation_id` integer,
	`is_counted` integer DEFAULT false NOT NULL,
	`event_version` integer DEFAULT 0 NOT NULL,
	`default_payment_id` integer DEFAULT 2 NOT NULL,
	`created_by_partner_id` integer,
	`managed_by_account_id` integer,
	`last_login_at_ms` integer,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `members_sid_key_unique` ON `members` (`sid_key`);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_username_key_unique` ON `members` (`username_key`);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_email_key_unique` ON `members` (`email_key`);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_auth_token_digest_unique` ON `members` (`auth_token_digest`);
--> statement-breakpoint
CREATE INDEX `members_password_rounds_index` ON `members` (`password_rounds`);
--> statement-breakpoint
CREATE INDEX `members_password_delay_ms_index` ON `members` (`password_delay_ms`);
--> statement-breakpoint
CREATE INDEX `members_erases_at_ms_index` ON `members` (`erases_at_ms`);
--> statement-breakpoint
CREATE INDEX `members_pending_effective_at_ms_index` ON `members` (`pending_effective_at_ms`);
--> statement-breakpoint
CREATE INDEX `members_is_personnel_role_type_id_index` ON `members` (`is_personnel`,`role_type`,`id`);
--> statement-breakpoint
CREATE INDEX `members_personnel_ended_at_ms_id_index` ON `members` (`personnel_ended_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `members_is_counted_id_index` ON `members` (`is_counted`,`id`);
--> statement-breakpoint
CREATE INDEX `members_last_login_at_ms_id_index` ON `members` (`last_login_at_ms`,`id`);
--> statement-breakpoint
CREATE TABLE `foreign_ids` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`source` text NOT NULL,
	`foreign_id` text NOT NULL,
	`member_id` integer,
	`account_id` integer,
	`created_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `foreign_ids_foreign_id_source_kind_unique` ON `foreign_ids` (`foreign_id`,`source`,`kind`);
--> statement-breakpoint
CREATE INDEX `foreign_ids_member_id_id_index` ON `foreign_ids` (`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `foreign_ids_account_id_id_index` ON `foreign_ids` (`account_id`,`id`);
--> statement-breakpoint
CREATE TABLE `accounts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`owner_id` integer NOT NULL,
	`opened_by_id` integer,
	`created_by_partner_id` integer,
	`is_deleted` integer DEFAULT false NOT NULL,
	`deleted_at_ms` integer,
	`closed_by_id` integer,
	`closed_with_member_id` integer,
	`erases_at_ms` integer,
	`erasure_notified_at_ms` integer,
	`erased_at_ms` integer,
	`required_level` integer DEFAULT 1 NOT NULL,
	`required_from_ms` integer,
	`required_until_then` integer DEFAULT 1 NOT NULL,
	`allows_agents` integer DEFAULT true NOT NULL,
	`blocked_client_hosts` text,
	`sso` text,
	`event_version` integer DEFAULT 0 NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE INDEX `accounts_name_key_id_index` ON `accounts` (`name_key`,`id`);
--> statement-breakpoint
CREATE INDEX `accounts_owner_id_id_index` ON `accounts` (`owner_id`,`id`);
--> statement-breakpoint
CREATE INDEX `accounts_opened_by_id_index` ON `accounts` (`opened_by_id`);
--> statement-breakpoint
CREATE INDEX `accounts_created_by_partner_id_id_index` ON `accounts` (`created_by_partner_id`,`id`);
--> statement-breakpoint
CREATE INDEX `accounts_erases_at_ms_index` ON `accounts` (`erases_at_ms`);
--> statement-breakpoint
CREATE INDEX `accounts_closed_with_member_id_index` ON `accounts` (`closed_with_member_id`);
--> statement-breakpoint
CREATE INDEX `accounts_required_level_id_index` ON `accounts` (`required_level`,`id`);
--> statement-breakpoint
CREATE TABLE `memberships` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`member_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	`role_type` integer NOT NULL,
	`custom_role_id` integer,
	`is_deleted` integer DEFAULT false NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`held_since_ms` integer,
	`ended_with_member` integer DEFAULT false NOT NULL,
	`ended_by_directory` integer DEFAULT false NOT NULL,
	`awaits_owner` integer DEFAULT false NOT NULL,
	`granted_by_id` integer,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `memberships_member_id_account_id_unique` ON `memberships` (`member_id`,`account_id`);
--> statement-breakpoint
CREATE INDEX `memberships_account_id_is_deleted_active_member_id_index` ON `memberships` (`account_id`,`is_deleted`,`active`,`member_id`);
--> statement-breakpoint
CREATE INDEX `memberships_role_type_member_id_index` ON `memberships` (`role_type`,`member_id`);
--> statement-breakpoint
CREATE INDEX `memberships_custom_role_id_index` ON `memberships` (`custom_role_id`);
--> statement-breakpoint
CREATE TABLE `custom_roles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`role_type` integer NOT NULL,
	`permissions` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `custom_roles_account_id_name_key_unique` ON `custom_roles` (`account_id`,`name_key`);
--> statement-breakpoint
CREATE TABLE `machines` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`member_id` integer NOT NULL,
	`account_id` integer,
	`name` text NOT NULL,
	`role_type` integer NOT NULL,
	`custom_role_id` integer,
	`created_by_id` integer NOT NULL,
	`removed_at_ms` integer,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `machines_member_id_unique` ON `machines` (`member_id`);
--> statement-breakpoint
CREATE INDEX `machines_account_id_removed_at_ms_member_id_index` ON `machines` (`account_id`,`removed_at_ms`,`member_id`);
--> statement-breakpoint
CREATE INDEX `machines_custom_role_id_index` ON `machines` (`custom_role_id`);
--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`machine_id` integer NOT NULL,
	`name` text NOT NULL,
	`start` text NOT NULL,
	`digest` text NOT NULL,
	`scopes` text NOT NULL,
	`addresses` text NOT NULL,
	`per_minute` integer NOT NULL,
	`created_by_id` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`revoked_at_ms` integer,
	`replaced_by_id` integer,
	`last_used_at_ms` integer,
	`notice_at_ms` integer
);

--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_digest_unique` ON `api_keys` (`digest`);
--> statement-breakpoint
CREATE INDEX `api_keys_machine_id_id_index` ON `api_keys` (`machine_id`,`id`);
--> statement-breakpoint
CREATE INDEX `api_keys_notice_at_ms_index` ON `api_keys` (`notice_at_ms`);
--> statement-breakpoint
CREATE TABLE `applications` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client_id` text NOT NULL,
	`account_id` integer,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`redirect_uris` text NOT NULL,
	`post_logout_redirect_uris` text NOT NULL,
	`backchannel_logout_uri` text,
	`jwks` text,
	`jwks_uri` text,
	`scopes` text NOT NULL,
	`resources` text NOT NULL,
	`subject_type` text NOT NULL,
	`active` integer NOT NULL,
	`blocked` integer NOT NULL,
	`skip_consent` integer NOT NULL,
	`pkce_exempt` integer NOT NULL,
	`machine_id` integer,
	`created_by_id` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	`removed_at_ms` integer
);

--> statement-breakpoint
CREATE UNIQUE INDEX `applications_client_id_unique` ON `applications` (`client_id`);
--> statement-breakpoint
CREATE INDEX `applications_account_id_removed_at_ms_id_index` ON `applications` (`account_id`,`removed_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `applications_created_by_id_type_index` ON `applications` (`created_by_id`,`type`);
--> statement-breakpoint
CREATE TABLE `application_secrets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`application_id` integer NOT NULL,
	`start` text NOT NULL,
	`digest` text NOT NULL,
	`created_by_id` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`last_used_at_ms` integer
);

--> statement-breakpoint
CREATE INDEX `application_secrets_application_id_id_index` ON `application_secrets` (`application_id`,`id`);
--> statement-breakpoint
CREATE TABLE `blocked_client_hosts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`host` text NOT NULL,
	`created_by_id` integer NOT NULL,
	`created_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `blocked_client_hosts_host_unique` ON `blocked_client_hosts` (`host`);
--> statement-breakpoint
CREATE TABLE `application_logins` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`application_id` integer NOT NULL,
	`member_id` integer NOT NULL,
	`family_id` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`ended_at_ms` integer,
	`due_at_ms` integer,
	`failures` integer DEFAULT 0 NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `application_logins_family_id_application_id_unique` ON `application_logins` (`family_id`,`application_id`);
--> statement-breakpoint
CREATE INDEX `application_logins_member_id_family_id_index` ON `application_logins` (`member_id`,`family_id`);
--> statement-breakpoint
CREATE INDEX `application_logins_due_at_ms_index` ON `application_logins` (`due_at_ms`);
--> statement-breakpoint
CREATE TABLE `consents` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`member_id` integer NOT NULL,
	`application_id` integer NOT NULL,
	`account_id` integer,
	`resource_id` integer,
	`scopes` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	`last_used_at_ms` integer
);

--> statement-breakpoint
CREATE INDEX `consents_member_id_application_id_index` ON `consents` (`member_id`,`application_id`);
--> statement-breakpoint
CREATE INDEX `consents_application_id_id_index` ON `consents` (`application_id`,`id`);
--> statement-breakpoint
CREATE INDEX `consents_account_id_id_index` ON `consents` (`account_id`,`id`);
--> statement-breakpoint
CREATE TABLE `oauth_artifacts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`model` text NOT NULL,
	`digest` text NOT NULL,
	`grant_digest` text,
	`member_id` integer,
	`consent_id` integer,
	`user_code_digest` text,
	`payload` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`consumed_at_ms` integer,
	`expires_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `oauth_artifacts_model_digest_unique` ON `oauth_artifacts` (`model`,`digest`);
--> statement-breakpoint
CREATE UNIQUE INDEX `oauth_artifacts_user_code_digest_unique` ON `oauth_artifacts` (`user_code_digest`);
--> statement-breakpoint
CREATE INDEX `oauth_artifacts_grant_digest_index` ON `oauth_artifacts` (`grant_digest`);
--> statement-breakpoint
CREATE INDEX `oauth_artifacts_consent_id_index` ON `oauth_artifacts` (`consent_id`);
--> statement-breakpoint
CREATE INDEX `oauth_artifacts_member_id_index` ON `oauth_artifacts` (`member_id`);
--> statement-breakpoint
CREATE INDEX `oauth_artifacts_expires_at_ms_index` ON `oauth_artifacts` (`expires_at_ms`);
--> statement-breakpoint
CREATE TABLE `impersonations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`actor_id` integer NOT NULL,
	`actor_epoch` integer NOT NULL,
	`member_id` integer NOT NULL,
	`account_id` integer,
	`reason` text NOT NULL,
	`may_write` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`ended_at_ms` integer,
	`ended_by_id` integer
);

--> statement-breakpoint
CREATE INDEX `impersonations_actor_id_id_index` ON `impersonations` (`actor_id`,`id`);
--> statement-breakpoint
CREATE INDEX `impersonations_member_id_id_index` ON `impersonations` (`member_id`,`id`);
--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`open_key` text,
	`role_type` integer NOT NULL,
	`custom_role_id` integer,
	`status` text NOT NULL,
	`inviter_id` integer NOT NULL,
	`token_key` text,
	`mail_id` integer,
	`last_sent_at_ms` integer,
	`expires_at_ms` integer NOT NULL,
	`untold_expiry_ms` integer,
	`ended_at_ms` integer,
	`ended_by_id` integer,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_account_id_open_key_unique` ON `invitations` (`account_id`,`open_key`);
--> statement-breakpoint
CREATE INDEX `invitations_account_id_id_index` ON `invitations` (`account_id`,`id`);
--> statement-breakpoint
CREATE INDEX `invitations_email_key_id_index` ON `invitations` (`email_key`,`id`);
--> statement-breakpoint
CREATE INDEX `invitations_inviter_id_id_index` ON `invitations` (`inviter_id`,`id`);
--> statement-breakpoint
CREATE INDEX `invitations_untold_expiry_ms_index` ON `invitations` (`untold_expiry_ms`);
--> statement-breakpoint
CREATE TABLE `personnel_grants` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`personnel_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	`is_deleted` integer DEFAULT false NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`ended_with_member` integer DEFAULT false NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `personnel_grants_personnel_id_account_id_unique` ON `personnel_grants` (`personnel_id`,`account_id`);
--> statement-breakpoint
CREATE INDEX `personnel_grants_account_id_personnel_id_index` ON `personnel_grants` (`account_id`,`personnel_id`);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`token_key` text NOT NULL,
	`member_id` integer NOT NULL,
	`kind` text NOT NULL,
	`epoch` integer NOT NULL,
	`partner_id` integer,
	`sso_login_id` integer,
	`impersonation_id` integer,
	`recovery_id` integer,
	`device` text NOT NULL,
	`address` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`is_counted` integer DEFAULT false NOT NULL,
	`last_seen_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`ended_at_ms` integer,
	`verified_at_ms` integer,
	`verified_level` integer DEFAULT 1 NOT NULL,
	`amr` text,
	`level` integer DEFAULT 1 NOT NULL,
	`auth_time_ms` integer,
	`family_id` integer,
	`absolute_until_ms` integer,
	`device_name` text,
	`retires_at_ms` integer,
	`successor_jti` text,
	`successor_expires_at_ms` integer
);

--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token_key_unique` ON `sessions` (`token_key`);
--> statement-breakpoint
CREATE INDEX `sessions_member_id_id_index` ON `sessions` (`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `sessions_impersonation_id_index` ON `sessions` (`impersonation_id`);
--> statement-breakpoint
CREATE INDEX `sessions_sso_login_id_index` ON `sessions` (`sso_login_id`);
--> statement-breakpoint
CREATE INDEX `sessions_expires_at_ms_index` ON `sessions` (`expires_at_ms`);
--> statement-breakpoint
CREATE INDEX `sessions_is_counted_id_index` ON `sessions` (`is_counted`,`id`);
--> statement-breakpoint
CREATE TABLE `revocations` (
	`token_key` text PRIMARY KEY NOT NULL,
	`expires_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE INDEX `revocations_expires_at_ms_index` ON `revocations` (`expires_at_ms`);
--> statement-breakpoint
CREATE TABLE `access_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`member_id` integer,
	`account_id` integer,
	`partner_id` integer,
	`application_id` integer,
	`at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE TABLE `access_checkpoints` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`change_id` integer NOT NULL,
	`at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `access_checkpoints_change_id_unique` ON `access_checkpoints` (`change_id`);
--> statement-breakpoint
CREATE TABLE `one_time_passwords` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`member_id` integer NOT NULL,
	`serial` integer NOT NULL,
	`digest` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`used_at_ms` integer
);

--> statement-breakpoint
CREATE UNIQUE INDEX `one_time_passwords_member_id_serial_unique` ON `one_time_passwords` (`member_id`,`serial`);
--> statement-breakpoint
CREATE INDEX `one_time_passwords_expires_at_ms_index` ON `one_time_passwords` (`expires_at_ms`);
--> statement-breakpoint
CREATE TABLE `mail_outbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`idempotency_key` text NOT NULL,
	`kind` text NOT NULL,
	`member_id` integer,
	`recipient` text NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL,
	`html` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at_ms` integer NOT NULL,
	`lease_token` text,
	`lease_until_ms` integer,
	`merged` text,
	`last_error` text,
	`created_at_ms` integer NOT NULL,
	`sent_at_ms` integer
);

--> statement-breakpoint
CREATE UNIQUE INDEX `mail_outbox_idempotency_key_unique` ON `mail_outbox` (`idempotency_key`);
--> statement-breakpoint
CREATE INDEX `mail_outbox_state_due_at_ms_index` ON `mail_outbox` (`state`,`due_at_ms`);
--> statement-breakpoint
CREATE INDEX `mail_outbox_member_id_id_index` ON `mail_outbox` (`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `mail_outbox_state_id_index` ON `mail_outbox` (`state`,`id`);
--> statement-breakpoint
CREATE INDEX `mail_outbox_created_at_ms_index` ON `mail_outbox` (`created_at_ms`);
--> statement-breakpoint
CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`token` text NOT NULL,
	`lease_until_ms` integer NOT NULL,
	`due_at_ms` integer NOT NULL,
	`last_run_at_ms` integer
);

--> statement-breakpoint
CREATE TABLE `social_connections` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`member_id` integer NOT NULL,
	`provider_id` integer NOT NULL,
	`provider_user_id` text NOT NULL,
	`email` text,
	`display_name` text,
	`access_token` text,
	`refresh_token` text,
	`token_status` text NOT NULL,
	`scopes` text,
	`fb_accounts` text,
	`ig_accounts` text,
	`ln_accounts` text,
	`twt_accounts` text,
	`detail` text,
	`expires_at_ms` integer,
	`renew_due_at_ms` integer,
	`renew_attempts` integer DEFAULT 0 NOT NULL,
	`lease_token` text,
	`lease_until_ms` integer,
	`last_error` text,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `social_connections_provider_id_provider_user_id_unique` ON `social_connections` (`provider_id`,`provider_user_id`);
--> statement-breakpoint
CREATE INDEX `social_connections_member_id_provider_id_index` ON `social_connections` (`member_id`,`provider_id`);
--> statement-breakpoint
CREATE INDEX `social_connections_renew_due_at_ms_index` ON `social_connections` (`renew_due_at_ms`);
--> statement-breakpoint
CREATE TABLE `social_states` (
	`state_key` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`provider_id` integer NOT NULL,
	`member_id` integer,
	`session_token_key` text,
	`payload` text,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`used_at_ms` integer
);

--> statement-breakpoint
CREATE INDEX `social_states_expires_at_ms_index` ON `social_states` (`expires_at_ms`);
--> statement-breakpoint
CREATE TABLE `partners` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`external_id` text,
	`app_url` text NOT NULL,
	`is_active` integer DEFAULT true NOT NULL,
	`token_digest` text,
	`token_expires_at_ms` integer,
	`tokens_valid_after_ms` integer DEFAULT 0 NOT NULL,
	`last_used_at_ms` integer,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `partners_name_key_unique` ON `partners` (`name_key`);
--> statement-breakpoint
CREATE UNIQUE INDEX `partners_external_id_unique` ON `partners` (`external_id`);
--> statement-breakpoint
CREATE TABLE `partner_secrets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`partner_id` integer NOT NULL,
	`secret` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`retires_at_ms` integer,
	`last_used_at_ms` integer
);

--> statement-breakpoint
CREATE INDEX `partner_secrets_partner_id_id_index` ON `partner_secrets` (`partner_id`,`id`);
--> statement-breakpoint
CREATE TABLE `partner_members` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`partner_id` integer NOT NULL,
	`member_id` integer NOT NULL,
	`linked_at_ms` integer NOT NULL,
	`consented_at_ms` integer,
	`held_since_ms` integer
);

--> statement-breakpoint
CREATE UNIQUE INDEX `partner_members_partner_id_member_id_unique` ON `partner_members` (`partner_id`,`member_id`);
--> statement-breakpoint
CREATE INDEX `partner_members_member_id_index` ON `partner_members` (`member_id`);
--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`state` text NOT NULL,
	`trial_ends_at_ms` integer,
	`trial_extended_at_ms` integer,
	`provider` text,
	`provider_customer_id` text,
	`provider_subscription_id` text,
	`plan` text,
	`add_ons` text,
	`is_collection_paused` integer,
	`period_ends_at_ms` integer,
	`cancel_at_ms` integer,
	`past_due_at_ms` integer,
	`last_event_at_ms` integer,
	`last_event_id` text,
	`asked_at_ms` integer,
	`detail` text,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_account_id_unique` ON `subscriptions` (`account_id`);
--> statement-breakpoint
CREATE INDEX `subscriptions_state_trial_ends_at_ms_index` ON `subscriptions` (`state`,`trial_ends_at_ms`);
--> statement-breakpoint
CREATE INDEX `subscriptions_state_period_ends_at_ms_index` ON `subscriptions` (`state`,`period_ends_at_ms`);
--> statement-breakpoint
CREATE INDEX `subscriptions_provider_provider_subscription_id_index` ON `subscriptions` (`provider`,`provider_subscription_id`);
--> statement-breakpoint
CREATE INDEX `subscriptions_provider_provider_customer_id_index` ON `subscriptions` (`provider`,`provider_customer_id`);
--> statement-breakpoint
CREATE TABLE `billing_checkouts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`provider` text NOT NULL,
	`price_id` text NOT NULL,
	`attempt_key` text NOT NULL,
	`lease_token` text,
	`lease_until_ms` integer,
	`open_provider` text,
	`open_price_id` text,
	`checkout_id` text,
	`url` text,
	`expires_at_ms` integer,
	`checked_at_ms` integer,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `billing_checkouts_account_id_unique` ON `billing_checkouts` (`account_id`);
--> statement-breakpoint
CREATE TABLE `billing_customers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`provider` text NOT NULL,
	`customer_id` text NOT NULL,
	`account_id` integer,
	`email` text,
	`is_gone` integer,
	`name` text,
	`detail` text,
	`last_event_at_ms` integer,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `billing_customers_provider_customer_id_unique` ON `billing_customers` (`provider`,`customer_id`);
--> statement-breakpoint
CREATE INDEX `billing_customers_account_id_id_index` ON `billing_customers` (`account_id`,`id`);
--> statement-breakpoint
CREATE TABLE `billing_subscriptions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`provider` text NOT NULL,
	`subscription_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`account_id` integer,
	`facts` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `billing_subscriptions_provider_subscription_id_unique` ON `billing_subscriptions` (`provider`,`subscription_id`);
--> statement-breakpoint
CREATE INDEX `billing_subscriptions_account_id_id_index` ON `billing_subscriptions` (`account_id`,`id`);
--> statement-breakpoint
CREATE INDEX `billing_subscriptions_provider_customer_id_index` ON `billing_subscriptions` (`provider`,`customer_id`);
--> statement-breakpoint
CREATE TABLE `webhook_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`provider` text NOT NULL,
	`endpoint` text NOT NULL,
	`event_id` text,
	`dedupe_key` text,
	`type` text,
	`body` text NOT NULL,
	`body_encoding` text DEFAULT 'utf8' NOT NULL,
	`body_bytes` integer NOT NULL,
	`digest` text NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at_ms` integer,
	`lease_token` text,
	`lease_until_ms` integer,
	`address` text NOT NULL,
	`account_id` integer,
	`occurred_at_ms` integer,
	`received_at_ms` integer NOT NULL,
	`processed_at_ms` integer
);

--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_log_dedupe_key_unique` ON `webhook_log` (`dedupe_key`);
--> statement-breakpoint
CREATE INDEX `webhook_log_status_due_at_ms_index` ON `webhook_log` (`status`,`due_at_ms`);
--> statement-breakpoint
CREATE INDEX `webhook_log_status_received_at_ms_index` ON `webhook_log` (`status`,`received_at_ms`);
--> statement-breakpoint
CREATE INDEX `webhook_log_address_received_at_ms_index` ON `webhook_log` (`address`,`received_at_ms`);
--> statement-breakpoint
CREATE INDEX `webhook_log_provider_id_index` ON `webhook_log` (`provider`,`id`);
--> statement-breakpoint
CREATE INDEX `webhook_log_account_id_id_index` ON `webhook_log` (`account_id`,`id`);
--> statement-breakpoint
CREATE TABLE `conversations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`subject_id` integer,
	`title` text NOT NULL,
	`is_deleted` integer DEFAULT false NOT NULL,
	`created_at_ms` integer NOT NULL,
	`last_message_at_ms` integer
);

--> statement-breakpoint
CREATE INDEX `conversations_account_id_is_deleted_id_index` ON `conversations` (`account_id`,`is_deleted`,`id`);
--> statement-breakpoint
CREATE INDEX `conversations_subject_id_id_index` ON `conversations` (`subject_id`,`id`);
--> statement-breakpoint
CREATE TABLE `participants` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`conversation_id` integer NOT NULL,
	`member_id` integer NOT NULL,
	`joined_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `participants_conversation_id_member_id_unique` ON `participants` (`conversation_id`,`member_id`);
--> statement-breakpoint
CREATE INDEX `participants_member_id_conversation_id_index` ON `participants` (`member_id`,`conversation_id`);
--> statement-breakpoint
CREATE TABLE `messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`conversation_id` integer NOT NULL,
	`member_id` integer NOT NULL,
	`body` text NOT NULL,
	`created_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE INDEX `messages_conversation_id_id_index` ON `messages` (`conversation_id`,`id`);
--> statement-breakpoint
CREATE INDEX `messages_conversation_id_member_id_id_index` ON `messages` (`conversation_id`,`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `messages_member_id_id_index` ON `messages` (`member_id`,`id`);
--> statement-breakpoint
CREATE TABLE `subjects` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`is_deleted` integer DEFAULT false NOT NULL,
	`deleted_at_ms` integer,
	`created_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE INDEX `subjects_account_id_is_deleted_id_index` ON `subjects` (`account_id`,`is_deleted`,`id`);
--> statement-breakpoint
CREATE TABLE `affiliates` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`member_id` integer NOT NULL,
	`code` text NOT NULL,
	`code_key` text NOT NULL,
	`commission_basis_points` integer NOT NULL,
	`payout_email` text NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`ended_with_member` integer DEFAULT false NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `affiliates_member_id_unique` ON `affiliates` (`member_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `affiliates_code_key_unique` ON `affiliates` (`code_key`);
--> statement-breakpoint
CREATE TABLE `referrals` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`member_id` integer NOT NULL,
	`affiliate_id` integer NOT NULL,
	`created_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `referrals_member_id_unique` ON `referrals` (`member_id`);
--> statement-breakpoint
CREATE INDEX `referrals_affiliate_id_member_id_index` ON `referrals` (`affiliate_id`,`member_id`);
--> statement-breakpoint
CREATE TABLE `deletion_requests` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`code` text NOT NULL,
	`provider_id` integer NOT NULL,
	`provider_user_id` text NOT NULL,
	`status` text NOT NULL,
	`requested_at_ms` integer NOT NULL,
	`completed_at_ms` integer
);

--> statement-breakpoint
CREATE UNIQUE INDEX `deletion_requests_code_unique` ON `deletion_requests` (`code`);
--> statement-breakpoint
CREATE UNIQUE INDEX `deletion_requests_provider_id_provider_user_id_unique` ON `deletion_requests` (`provider_id`,`provider_user_id`);
--> statement-breakpoint
CREATE TABLE `events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_id` text NOT NULL,
	`position` integer,
	`type` text NOT NULL,
	`version` integer NOT NULL,
	`at_ms` integer NOT NULL,
	`subject_kind` text NOT NULL,
	`subject_id` integer NOT NULL,
	`subject_version` integer NOT NULL,
	`account_id` integer,
	`actor_kind` text NOT NULL,
	`actor_id` integer,
	`data` text NOT NULL,
	`audience` text NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `events_position_unique` ON `events` (`position`);
--> statement-breakpoint
CREATE INDEX `events_subject_kind_subject_id_id_index` ON `events` (`subject_kind`,`subject_id`,`id`);
--> statement-breakpoint
CREATE TABLE `event_audiences` (
	`audience` text NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`audience`, `position`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `event_audiences_position_index` ON `event_audiences` (`position`);
--> statement-breakpoint
CREATE TABLE `event_endpoints` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`scope` text NOT NULL,
	`account_id` integer,
	`partner_id` integer,
	`url` text NOT NULL,
	`types` text NOT NULL,
	`description` text NOT NULL,
	`active` integer NOT NULL,
	`state` text NOT NULL,
	`fault` text,
	`level` integer NOT NULL,
	`saved_by_id` integer NOT NULL,
	`secret` text NOT NULL,
	`previous_secret` text,
	`previous_until_ms` integer,
	`position` integer NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`failing_since_ms` integer,
	`notified_at_ms` integer,
	`last_success_at_ms` integer,
	`redelivery` text,
	`is_redelivering` integer DEFAULT false NOT NULL,
	`event_version` integer DEFAULT 0 NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE INDEX `event_endpoints_scope_id_index` ON `event_endpoints` (`scope`,`id`);
--> statement-breakpoint
CREATE TABLE `event_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`endpoint_id` integer NOT NULL,
	`position` integer NOT NULL,
	`event_id` text NOT NULL,
	`type` text NOT NULL,
	`subject` text NOT NULL,
	`state` text NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`attempts` text NOT NULL,
	`queued_at_ms` integer NOT NULL,
	`due_at_ms` integer NOT NULL,
	`lease_token` text,
	`delivered_at_ms` integer,
	`created_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `event_deliveries_endpoint_id_position_unique` ON `event_deliveries` (`endpoint_id`,`position`);
--> statement-breakpoint
CREATE INDEX `event_deliveries_endpoint_id_state_due_at_ms_index` ON `event_deliveries` (`endpoint_id`,`state`,`due_at_ms`);
--> statement-breakpoint
CREATE INDEX `event_deliveries_endpoint_id_state_subject_position_index` ON `event_deliveries` (`endpoint_id`,`state`,`subject`,`position`);
--> statement-breakpoint
CREATE INDEX `event_deliveries_endpoint_id_id_index` ON `event_deliveries` (`endpoint_id`,`id`);
--> statement-breakpoint
CREATE INDEX `event_deliveries_state_created_at_ms_index` ON `event_deliveries` (`state`,`created_at_ms`);
--> statement-breakpoint
CREATE INDEX `event_deliveries_created_at_ms_index` ON `event_deliveries` (`created_at_ms`);
--> statement-breakpoint
CREATE TABLE `audit_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at_ms` integer NOT NULL,
	`actor_id` integer,
	`key_id` integer,
	`application_id` integer,
	`on_behalf_of_id` integer,
	`account_id` integer,
	`action` text NOT NULL,
	`subject_kind` text,
	`subject_id` text,
	`address` text,
	`request_id` text,
	`before` text,
	`after` text
);

--> statement-breakpoint
CREATE INDEX `audit_log_at_ms_index` ON `audit_log` (`at_ms`);
--> statement-breakpoint
CREATE INDEX `audit_log_account_id_id_index` ON `audit_log` (`account_id`,`id`);
--> statement-breakpoint
CREATE INDEX `audit_log_actor_id_id_index` ON `audit_log` (`actor_id`,`id`);
--> statement-breakpoint
CREATE INDEX `audit_log_subject_kind_subject_id_id_index` ON `audit_log` (`subject_kind`,`subject_id`,`id`);
--> statement-breakpoint
CREATE INDEX `audit_log_action_id_index` ON `audit_log` (`action`,`id`);
--> statement-breakpoint
CREATE INDEX `audit_log_request_id_id_index` ON `audit_log` (`request_id`,`id`);
--> statement-breakpoint
CREATE TABLE `member_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`member_id` integer NOT NULL,
	`key` text NOT NULL,
	`created_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `member_keys_member_id_unique` ON `member_keys` (`member_id`);
--> statement-breakpoint
CREATE TABLE `security_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`member_id` integer NOT NULL,
	`at_ms` integer NOT NULL,
	`kind` text NOT NULL,
	`outcome` text NOT NULL,
	`address` text,
	`device` text,
	`actor_id` integer,
	`times` integer DEFAULT 1 NOT NULL,
	`is_counted` integer DEFAULT false NOT NULL,
	`counted_times` integer DEFAULT 0 NOT NULL,
	`merge_key` text
);

--> statement-breakpoint
CREATE INDEX `security_events_member_id_id_index` ON `security_events` (`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `security_events_at_ms_index` ON `security_events` (`at_ms`);
--> statement-breakpoint
CREATE INDEX `security_events_is_counted_id_index` ON `security_events` (`is_counted`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `security_events_merge_key_unique` ON `security_events` (`merge_key`);
--> statement-breakpoint
CREATE TABLE `limits` (
	`key` text PRIMARY KEY NOT NULL,
	`points` integer NOT NULL,
	`expires_at_ms` integer
);

--> statement-breakpoint
CREATE INDEX `limits_expires_at_ms_index` ON `limits` (`expires_at_ms`);
--> statement-breakpoint
CREATE TABLE `login_familiarity` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`member_id` integer NOT NULL,
	`origin_key` text NOT NULL,
	`last_success_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `login_familiarity_member_id_origin_key_unique` ON `login_familiarity` (`member_id`,`origin_key`);
--> statement-breakpoint
CREATE INDEX `login_familiarity_last_success_at_ms_index` ON `login_familiarity` (`last_success_at_ms`);
--> statement-breakpoint
CREATE TABLE `login_failures` (
	`holder` text NOT NULL,
	`origin` text NOT NULL,
	`wait_until_ms` integer NOT NULL,
	`failures` integer NOT NULL,
	`last_failure_at_ms` integer NOT NULL,
	PRIMARY KEY(`holder`, `origin`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `login_failures_failures_index` ON `login_failures` (`failures`);
--> statement-breakpoint
CREATE INDEX `login_failures_last_failure_at_ms_index` ON `login_failures` (`last_failure_at_ms`);
--> statement-breakpoint
CREATE TABLE `password_uses` (
	`kind` text PRIMARY KEY NOT NULL,
	`last_used_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE TABLE `totp_factors` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`member_id` integer NOT NULL,
	`secret` text,
	`confirmed_at_ms` integer,
	`last_step` integer DEFAULT 0 NOT NULL,
	`pending_secret` text,
	`pending_since_ms` integer,
	`created_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `totp_factors_member_id_unique` ON `totp_factors` (`member_id`);
--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`member_id` integer NOT NULL,
	`credential_key` text NOT NULL,
	`credential_id` text NOT NULL,
	`public_key` text NOT NULL,
	`rp_id` text NOT NULL,
	`counter` integer DEFAULT 0 NOT NULL,
	`user_handle` text,
	`backup_eligible` integer,
	`backed_up` integer NOT NULL,
	`transports` text NOT NULL,
	`name` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`last_used_at_ms` integer,
	`suspect_at_ms` integer
);

--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credential_key_unique` ON `passkeys` (`credential_key`);
--> statement-breakpoint
CREATE INDEX `passkeys_member_id_id_index` ON `passkeys` (`member_id`,`id`);
--> statement-breakpoint
CREATE TABLE `backup_codes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`member_id` integer NOT NULL,
	`digest` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`used_at_ms` integer
);

--> statement-breakpoint
CREATE UNIQUE INDEX `backup_codes_member_id_digest_unique` ON `backup_codes` (`member_id`,`digest`);
--> statement-breakpoint
CREATE TABLE `sign_in_challenges` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`challenge_key` text NOT NULL,
	`member_id` integer NOT NULL,
	`factor_epoch` integer NOT NULL,
	`session_epoch` integer NOT NULL,
	`password_digest` text NOT NULL,
	`kind` text NOT NULL,
	`partner_id` integer,
	`sso_login_id` integer,
	`application` text NOT NULL,
	`deployment` text NOT NULL,
	`client_digest` text NOT NULL,
	`origin_digest` text,
	`cookie_digest` text,
	`amr` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`used_at_ms` integer
);

--> statement-breakpoint
CREATE UNIQUE INDEX `sign_in_challenges_challenge_key_unique` ON `sign_in_challenges` (`challenge_key`);
--> statement-breakpoint
CREATE INDEX `sign_in_challenges_member_id_index` ON `sign_in_challenges` (`member_id`);
--> statement-breakpoint
CREATE INDEX `sign_in_challenges_expires_at_ms_index` ON `sign_in_challenges` (`expires_at_ms`);
--> statement-breakpoint
CREATE TABLE `mailed_codes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`bound_key` text NOT NULL,
	`member_id` integer NOT NULL,
	`serial` integer DEFAULT 1 NOT NULL,
	`digest` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`used_at_ms` integer
);

--> statement-breakpoint
CREATE UNIQUE INDEX `mailed_codes_bound_key_serial_unique` ON `mailed_codes` (`bound_key`,`serial`);
--> statement-breakpoint
CREATE INDEX `mailed_codes_member_id_index` ON `mailed_codes` (`member_id`);
--> statement-breakpoint
CREATE INDEX `mailed_codes_expires_at_ms_index` ON `mailed_codes` (`expires_at_ms`);
--> statement-breakpoint
CREATE TABLE `recoveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`member_id` integer NOT NULL,
	`open_key` integer,
	`opened_by_id` integer NOT NULL,
	`reason` text NOT NULL,
	`needs_approval` integer NOT NULL,
	`approved_by_id` integer,
	`approved_at_ms` integer,
	`opened_at_ms` integer NOT NULL,
	`effective_at_ms` integer NOT NULL,
	`ticket_digest` text,
	`ticket_expires_at_ms` integer,
	`ticket_used_at_ms` integer,
	`ended_at_ms` integer,
	`ended_by_id` integer,
	`outcome` text
);

--> statement-breakpoint
CREATE UNIQUE INDEX `recoveries_open_key_unique` ON `recoveries` (`open_key`);
--> statement-breakpoint
CREATE INDEX `recoveries_member_id_id_index` ON `recoveries` (`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `recoveries_opened_by_id_opened_at_ms_index` ON `recoveries` (`opened_by_id`,`opened_at_ms`);
--> statement-breakpoint
CREATE INDEX `recoveries_ended_at_ms_effective_at_ms_index` ON `recoveries` (`ended_at_ms`,`effective_at_ms`);
--> statement-breakpoint
CREATE TABLE `former_addresses` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`member_id` integer NOT NULL,
	`email` text NOT NULL,
	`until_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE INDEX `former_addresses_member_id_until_ms_index` ON `former_addresses` (`member_id`,`until_ms`);
--> statement-breakpoint
CREATE INDEX `former_addresses_until_ms_index` ON `former_addresses` (`until_ms`);
--> statement-breakpoint
CREATE TABLE `enrolment_tickets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`ticket_key` text NOT NULL,
	`member_id` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`used_at_ms` integer
);

--> statement-breakpoint
CREATE UNIQUE INDEX `enrolment_tickets_ticket_key_unique` ON `enrolment_tickets` (`ticket_key`);
--> statement-breakpoint
CREATE INDEX `enrolment_tickets_member_id_index` ON `enrolment_tickets` (`member_id`);
--> statement-breakpoint
CREATE INDEX `enrolment_tickets_expires_at_ms_index` ON `enrolment_tickets` (`expires_at_ms`);
--> statement-breakpoint
CREATE TABLE `statistic_counters` (
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`slot` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`account_id`, `name`, `slot`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `statistic_counters_slot_index` ON `statistic_counters` (`slot`);
--> statement-breakpoint
CREATE TABLE `statistic_gauges` (
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`count` integer NOT NULL,
	`oldest_at_ms` integer,
	`at_ms` integer NOT NULL,
	PRIMARY KEY(`account_id`, `name`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `seen_members` (
	`member_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	`slot` integer NOT NULL,
	PRIMARY KEY(`member_id`, `account_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `service_nodes` (
	`name` text PRIMARY KEY NOT NULL,
	`service` text NOT NULL,
	`slowest_ms` integer NOT NULL,
	`reported_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE INDEX `service_nodes_reported_at_ms_index` ON `service_nodes` (`reported_at_ms`);
--> statement-breakpoint
CREATE TABLE `signing_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kid` text NOT NULL,
	`algorithm` text NOT NULL,
	`public_key` text NOT NULL,
	`private_key` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`promoted_at_ms` integer,
	`retired_at_ms` integer
);

--> statement-breakpoint
CREATE UNIQUE INDEX `signing_keys_kid_unique` ON `signing_keys` (`kid`);
--> statement-breakpoint
CREATE TABLE `resources` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`origin` text NOT NULL,
	`name` text NOT NULL,
	`ttl_seconds` integer NOT NULL,
	`machine_id` integer,
	`application_tokens` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `resources_origin_unique` ON `resources` (`origin`);
--> statement-breakpoint
CREATE TABLE `moved_rows` (
	`kind` text NOT NULL,
	`row_key` text NOT NULL,
	`digest` text NOT NULL,
	`brought_at_ms` integer NOT NULL,
	PRIMARY KEY(`kind`, `row_key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `scim_tokens` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`last_four` text NOT NULL,
	`digest` text NOT NULL,
	`created_by_id` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`revoked_at_ms` integer,
	`last_used_at_ms` integer,
	`notice_at_ms` integer
);

--> statement-breakpoint
CREATE UNIQUE INDEX `scim_tokens_digest_unique` ON `scim_tokens` (`digest`);
--> statement-breakpoint
CREATE INDEX `scim_tokens_account_id_id_index` ON `scim_tokens` (`account_id`,`id`);
--> statement-breakpoint
CREATE INDEX `scim_tokens_notice_at_ms_index` ON `scim_tokens` (`notice_at_ms`);
--> statement-breakpoint
CREATE TABLE `scim_requests` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`token_id` integer NOT NULL,
	`at_ms` integer NOT NULL,
	`method` text NOT NULL,
	`path` text NOT NULL,
	`status` integer NOT NULL,
	`error` text
);

--> statement-breakpoint
CREATE INDEX `scim_requests_account_id_id_index` ON `scim_requests` (`account_id`,`id`);
--> statement-breakpoint
CREATE TABLE `sso_domains` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`domain` text NOT NULL,
	`verified_domain` text,
	`proof` text NOT NULL,
	`state` text NOT NULL,
	`verified_at_ms` integer,
	`check_due_at_ms` integer,
	`answered_at_ms` integer,
	`failed_days` integer DEFAULT 0 NOT NULL,
	`created_by_id` integer NOT NULL,
	`created_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `sso_domains_verified_domain_unique` ON `sso_domains` (`verified_domain`);
--> statement-breakpoint
CREATE UNIQUE INDEX `sso_domains_account_id_domain_unique` ON `sso_domains` (`account_id`,`domain`);
--> statement-breakpoint
CREATE INDEX `sso_domains_check_due_at_ms_index` ON `sso_domains` (`check_due_at_ms`);
--> statement-breakpoint
CREATE TABLE `sso_connections` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`key` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`settings` text NOT NULL,
	`secret` text,
	`version` integer NOT NULL,
	`tested_version` integer,
	`live` text,
	`live_secret` text,
	`live_version` integer,
	`epoch` integer DEFAULT 0 NOT NULL,
	`metadata_due_at_ms` integer,
	`metadata_tried_at_ms` integer,
	`metadata_check` text,
	`certificates_end_at_ms` integer,
	`created_by_id` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `sso_connections_key_unique` ON `sso_connections` (`key`);
--> statement-breakpoint
CREATE INDEX `sso_connections_certificates_end_at_ms_id_index` ON `sso_connections` (`certificates_end_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `sso_connections_kind_metadata_due_at_ms_index` ON `sso_connections` (`kind`,`metadata_due_at_ms`);
--> statement-breakpoint
CREATE INDEX `sso_connections_account_id_id_index` ON `sso_connections` (`account_id`,`id`);
--> statement-breakpoint
CREATE TABLE `sso_subjects` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`connection_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	`subject_key` text NOT NULL,
	`subject` text NOT NULL,
	`member_id` integer NOT NULL,
	`consented_at_ms` integer,
	`created_at_ms` integer NOT NULL,
	`last_sign_in_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `sso_subjects_connection_id_subject_key_unique` ON `sso_subjects` (`connection_id`,`subject_key`);
--> statement-breakpoint
CREATE INDEX `sso_subjects_member_id_account_id_index` ON `sso_subjects` (`member_id`,`account_id`);
--> statement-breakpoint
CREATE INDEX `sso_subjects_account_id_id_index` ON `sso_subjects` (`account_id`,`id`);
--> statement-breakpoint
CREATE TABLE `sso_logins` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`connection_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	`subject_id` integer NOT NULL,
	`member_id` integer NOT NULL,
	`epoch` integer NOT NULL,
	`level` integer NOT NULL,
	`until_ms` integer NOT NULL,
	`provider_session_key` text,
	`logout_url` text,
	`created_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE INDEX `sso_logins_connection_id_provider_session_key_index` ON `sso_logins` (`connection_id`,`provider_session_key`);
--> statement-breakpoint
CREATE INDEX `sso_logins_subject_id_id_index` ON `sso_logins` (`subject_id`,`id`);
--> statement-breakpoint
CREATE INDEX `sso_logins_member_id_id_index` ON `sso_logins` (`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `sso_logins_until_ms_index` ON `sso_logins` (`until_ms`);
--> statement-breakpoint
CREATE INDEX `sso_logins_account_id_id_index` ON `sso_logins` (`account_id`,`id`);
--> statement-breakpoint
CREATE TABLE `sso_runs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`code_key` text NOT NULL,
	`purpose` text NOT NULL,
	`connection_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	`version` integer NOT NULL,
	`member_id` integer,
	`payload` text,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `sso_runs_code_key_unique` ON `sso_runs` (`code_key`);
--> statement-breakpoint
CREATE INDEX `sso_runs_expires_at_ms_index` ON `sso_runs` (`expires_at_ms`);
--> statement-breakpoint
CREATE INDEX `sso_runs_account_id_id_index` ON `sso_runs` (`account_id`,`id`);
--> statement-breakpoint
CREATE TABLE `scim_users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`membership_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	`member_id` integer NOT NULL,
	`external_id` text,
	`given_name` text,
	`family_name` text,
	`display_name` text,
	`email` text,
	`is_deleted` integer DEFAULT false NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `scim_users_membership_id_unique` ON `scim_users` (`membership_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `scim_users_account_id_external_id_unique` ON `scim_users` (`account_id`,`external_id`);
--> statement-breakpoint
CREATE INDEX `scim_users_member_id_id_index` ON `scim_users` (`member_id`,`id`);
--> statement-breakpoint
CREATE TABLE `scim_groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`display_name` text NOT NULL,
	`display_name_key` text NOT NULL,
	`external_id` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `scim_groups_account_id_display_name_key_unique` ON `scim_groups` (`account_id`,`display_name_key`);
--> statement-breakpoint
CREATE TABLE `scim_group_members` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`group_id` integer NOT NULL,
	`membership_id` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `scim_group_members_group_id_membership_id_unique` ON `scim_group_members` (`group_id`,`membership_id`);
--> statement-breakpoint
CREATE INDEX `scim_group_members_membership_id_group_id_index` ON `scim_group_members` (`membership_id`,`group_id`);
--> statement-breakpoint
CREATE INDEX `scim_group_members_account_id_id_index` ON `scim_group_members` (`account_id`,`id`);
