CREATE TABLE `members` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`sid` text NOT NULL,
	`sid_key` text NOT NULL,
	`username` text NOT NULL,
	`username_key` text NOT NULL,
	`first_name` text NOT NULL,
	`first_name_key` text NOT NULL,
	`last_name` text NOT NULL,
	`email` text,
	`email_key` text,
	`email_confirmed_at_ms` integer,
	`pending_email` text,
	`pending_email_key` text,
	`password` text NOT NULL,
	`password_changed_at_ms` integer,
	`role_type` integer NOT NULL,
	`role` text NOT NULL,
	`is_personnel` integer DEFAULT false NOT NULL,
	`is_deleted` integer DEFAULT false NOT NULL,
	`deleted_at_ms` integer,
	`auth_token_digest` text,
	`auth_token_expires_at_ms` integer,
	`session_epoch` integer DEFAULT 0 NOT NULL,
	`tokens_valid_after_ms` integer DEFAULT 0 NOT NULL,
	`default_payment_id` integer DEFAULT 2 NOT NULL,
	`created_by_partner_id` integer,
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
CREATE INDEX `members_first_name_key_id_index` ON `members` (`first_name_key`,`id`);
--> statement-breakpoint
CREATE INDEX `members_is_personnel_role_type_id_index` ON `members` (`is_personnel`,`role_type`,`id`);
--> statement-breakpoint
CREATE TABLE `accounts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`owner_id` integer NOT NULL,
	`created_by_partner_id` integer,
	`is_deleted` integer DEFAULT false NOT NULL,
	`deleted_at_ms` integer,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE INDEX `accounts_name_key_id_index` ON `accounts` (`name_key`,`id`);
--> statement-breakpoint
CREATE INDEX `accounts_owner_id_id_index` ON `accounts` (`owner_id`,`id`);
--> statement-breakpoint
CREATE INDEX `accounts_created_by_partner_id_id_index` ON `accounts` (`created_by_partner_id`,`id`);
--> statement-breakpoint
CREATE TABLE `memberships` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`member_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	`role_type` integer NOT NULL,
	`is_deleted` integer DEFAULT false NOT NULL,
	`active` integer DEFAULT true NOT NULL,
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
CREATE TABLE `personnel_grants` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`personnel_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	`is_deleted` integer DEFAULT false NOT NULL,
	`active` integer DEFAULT true NOT NULL,
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
	`device` text NOT NULL,
	`address` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`last_seen_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`ended_at_ms` integer
);

--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token_key_unique` ON `sessions` (`token_key`);
--> statement-breakpoint
CREATE INDEX `sessions_member_id_id_index` ON `sessions` (`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `sessions_expires_at_ms_index` ON `sessions` (`expires_at_ms`);
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
	`at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE INDEX `access_changes_at_ms_index` ON `access_changes` (`at_ms`);
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
CREATE UNIQUE INDEX `one_time_passwords_member_id_unique` ON `one_time_passwords` (`member_id`);
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
	`last_error` text,
	`created_at_ms` integer NOT NULL,
	`sent_at_ms` integer
);

--> statement-breakpoint
CREATE UNIQUE INDEX `mail_outbox_idempotency_key_unique` ON `mail_outbox` (`idempotency_key`);
--> statement-breakpoint
CREATE INDEX `mail_outbox_state_due_at_ms_index` ON `mail_outbox` (`state`,`due_at_ms`);
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
	`app_url` text NOT NULL,
	`is_active` integer DEFAULT true NOT NULL,
	`token_digest` text,
	`token_expires_at_ms` integer,
	`last_used_at_ms` integer,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `partners_name_key_unique` ON `partners` (`name_key`);
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
	`consented_at_ms` integer
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
	`provider` text,
	`provider_customer_id` text,
	`provider_subscription_id` text,
	`plan` text,
	`period_ends_at_ms` integer,
	`cancel_at_ms` integer,
	`last_event_at_ms` integer,
	`last_event_id` text,
	`detail` text,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_account_id_unique` ON `subscriptions` (`account_id`);
--> statement-breakpoint
CREATE INDEX `subscriptions_state_trial_ends_at_ms_index` ON `subscriptions` (`state`,`trial_ends_at_ms`);
--> statement-breakpoint
CREATE INDEX `subscriptions_provider_provider_subscription_id_index` ON `subscriptions` (`provider`,`provider_subscription_id`);
--> statement-breakpoint
CREATE INDEX `subscriptions_provider_provider_customer_id_index` ON `subscriptions` (`provider`,`provider_customer_id`);
--> statement-breakpoint
CREATE TABLE `billing_customers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`provider` text NOT NULL,
	`customer_id` text NOT NULL,
	`account_id` integer,
	`email` text,
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
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `affiliates_member_id_unique` ON `affiliates` (`member_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `affiliates_code_key_unique` ON `affiliates` (`code_key`);
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
CREATE TABLE `audit_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at_ms` integer NOT NULL,
	`actor_id` integer,
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
