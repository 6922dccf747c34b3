CREATE TABLE `members` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`sid` varchar(320) NOT NULL,
	`sid_key` varchar(640) NOT NULL,
	`username` varchar(255) NOT NULL,
	`username_key` varchar(640) NOT NULL,
	`first_name` varchar(255) NOT NULL,
	`first_name_key` varchar(640) NOT NULL,
	`last_name` varchar(255) NOT NULL,
	`last_name_key` varchar(640) NOT NULL,
	`email` varchar(320),
	`email_key` varchar(640),
	`email_confirmed_at_ms` bigint,
	`owner_proven_at_ms` bigint,
	`pending_email` varchar(320),
	`pending_email_key` varchar(640),
	`pending_awaits` varchar(8),
	`pending_since_ms` bigint,
	`pending_effective_at_ms` bigint,
	`password` varchar(255) NOT NULL,
	`password_is_plain` boolean NOT NULL DEFAULT false,
	`password_rounds` int,
	`password_delay_ms` int,
	`password_changed_at_ms` bigint,
	`password_listed_at_ms` bigint,
	`has_password` boolean NOT NULL DEFAULT true,
	`locale` varchar(8) NOT NULL DEFAULT 'en',
	`role_type` int NOT NULL,
	`role` varchar(64) NOT NULL,
	`banned_role_type` int,
	`banned_until_ms` bigint,
	`banned_at_ms` bigint,
	`banned_by_id` bigint,
	`ban_reason` varchar(500),
	`is_machine` boolean NOT NULL DEFAULT false,
	`is_personnel` boolean NOT NULL DEFAULT false,
	`personnel_ended_at_ms` bigint,
	`is_deleted` boolean NOT NULL DEFAULT false,
	`deleted_at_ms` bigint,
	`deleted_by_id` bigint,
	`erases_at_ms` bigint,
	`erased_at_ms` bigint,
	`auth_token_digest` varchar(64),
	`auth_token_expires_at_ms` bigint,
	`session_epoch` int NOT NULL DEFAULT 0,
	`tokens_valid_after_ms` bigint NOT NULL DEFAULT 0,
	`factor_epoch` int NOT NULL DEFAULT 0,
	`second_factor` boolean NOT NULL DEFAULT false,
	`email_step` boolean NOT NULL DEFAULT false,
	`passkey_user_id` varchar(43),
	`impersonation_id` bigint,
	`is_counted` boolean NOT NULL DEFAULT false,
	`event_version` int NOT NULL DEFAULT 0,
	`default_payment_id` int NOT NULL DEFAULT 2,
	`created_by_partner_id` bigint,
	`managed_by_account_id` bigint,
	`last_login_at_ms` bigint,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `members_id` PRIMARY KEY(`id`),
	CONSTRAINT `members_sid_key_unique` UNIQUE(`sid_key`),
	CONSTRAINT `members_username_key_unique` UNIQUE(`username_key`),
	CONSTRAINT `members_email_key_unique` UNIQUE(`email_key`),
	CONSTRAINT `members_auth_token_digest_unique` UNIQUE(`auth_token_digest`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `foreign_ids` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`kind` varchar(8) NOT NULL,
	`source` varchar(64) NOT NULL,
	`foreign_id` varchar(255) NOT NULL,
	`member_id` bigint,
	`account_id` bigint,
	`created_at_ms` bigint NOT NULL,
	CONSTRAINT `foreign_ids_id` PRIMARY KEY(`id`),
	CONSTRAINT `foreign_ids_foreign_id_source_kind_unique` UNIQUE(`foreign_id`,`source`,`kind`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `accounts` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`name` varchar(255) NOT NULL,
	`name_key` varchar(640) NOT NULL,
	`owner_id` bigint NOT NULL,
	`opened_by_id` bigint,
	`created_by_partner_id` bigint,
	`is_deleted` boolean NOT NULL DEFAULT false,
	`deleted_at_ms` bigint,
	`closed_by_id` bigint,
	`closed_with_member_id` bigint,
	`erases_at_ms` bigint,
	`erasure_notified_at_ms` bigint,
	`erased_at_ms` bigint,
	`required_level` int NOT NULL DEFAULT 1,
	`required_from_ms` bigint,
	`required_until_then` int NOT NULL DEFAULT 1,
	`allows_agents` boolean NOT NULL DEFAULT true,
	`blocked_client_hosts` mediumtext,
	`sso` mediumtext,
	`event_version` int NOT NULL DEFAULT 0,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `accounts_id` PRIMARY KEY(`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `memberships` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`member_id` bigint NOT NULL,
	`account_id` bigint NOT NULL,
	`role_type` int NOT NULL,
	`custom_role_id` bigint,
	`is_deleted` boolean NOT NULL DEFAULT false,
	`active` boolean NOT NULL DEFAULT true,
	`held_since_ms` bigint,
	`ended_with_member` boolean NOT NULL DEFAULT false,
	`ended_by_directory` boolean NOT NULL DEFAULT false,
	`awaits_owner` boolean NOT NULL DEFAULT false,
	`granted_by_id` bigint,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `memberships_id` PRIMARY KEY(`id`),
	CONSTRAINT `memberships_member_id_account_id_unique` UNIQUE(`member_id`,`account_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `custom_roles` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`account_id` bigint NOT NULL,
	`name` varchar(60) NOT NULL,
	`name_key` varchar(640) NOT NULL,
	`role_type` int NOT NULL,
	`permissions` mediumtext NOT NULL,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `custom_roles_id` PRIMARY KEY(`id`),
	CONSTRAINT `custom_roles_account_id_name_key_unique` UNIQUE(`account_id`,`name_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `machines` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`member_id` bigint NOT NULL,
	`account_id` bigint,
	`name` varchar(80) NOT NULL,
	`role_type` int NOT NULL,
	`custom_role_id` bigint,
	`created_by_id` bigint NOT NULL,
	`removed_at_ms` bigint,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `machines_id` PRIMARY KEY(`id`),
	CONSTRAINT `machines_member_id_unique` UNIQUE(`member_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`machine_id` bigint NOT NULL,
	`name` varchar(80) NOT NULL,
	`start` varchar(12) NOT NULL,
	`digest` varchar(64) NOT NULL,
	`scopes` mediumtext NOT NULL,
	`addresses` mediumtext NOT NULL,
	`per_minute` int NOT NULL,
	`created_by_id` bigint NOT NULL,
	`created_at_ms` bigint NOT NULL,
	`expires_at_ms` bigint NOT NULL,
	`revoked_at_ms` bigint,
	`replaced_by_id` bigint,
	`last_used_at_ms` bigint,
	`notice_at_ms` bigint,
	CONSTRAINT `api_keys_id` PRIMARY KEY(`id`),
	CONSTRAINT `api_keys_digest_unique` UNIQUE(`digest`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `applications` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`client_id` varchar(200) NOT NULL,
	`account_id` bigint,
	`name` varchar(80) NOT NULL,
	`type` varchar(8) NOT NULL,
	`redirect_uris` mediumtext NOT NULL,
	`post_logout_redirect_uris` mediumtext NOT NULL,
	`backchannel_logout_uri` varchar(512),
	`jwks` mediumtext,
	`jwks_uri` varchar(512),
	`scopes` mediumtext NOT NULL,
	`resources` mediumtext NOT NULL,
	`subject_type` varchar(8) NOT NULL,
	`active` boolean NOT NULL,
	`blocked` boolean NOT NULL,
	`skip_consent` boolean NOT NULL,
	`pkce_exempt` boolean NOT NULL,
	`machine_id` bigint,
	`created_by_id` bigint NOT NULL,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	`removed_at_ms` bigint,
	CONSTRAINT `applications_id` PRIMARY KEY(`id`),
	CONSTRAINT `applications_client_id_unique` UNIQUE(`client_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `application_secrets` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`application_id` bigint NOT NULL,
	`start` varchar(12) NOT NULL,
	`digest` varchar(64) NOT NULL,
	`created_by_id` bigint NOT NULL,
	`created_at_ms` bigint NOT NULL,
	`last_used_at_ms` bigint,
	CONSTRAINT `application_secrets_id` PRIMARY KEY(`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `blocked_client_hosts` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`host` varchar(255) NOT NULL,
	`created_by_id` bigint NOT NULL,
	`created_at_ms` bigint NOT NULL,
	CONSTRAINT `blocked_client_hosts_id` PRIMARY KEY(`id`),
	CONSTRAINT `blocked_client_hosts_host_unique` UNIQUE(`host`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `application_logins` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`application_id` bigint NOT NULL,
	`member_id` bigint NOT NULL,
	`family_id` bigint NOT NULL,
	`created_at_ms` bigint NOT NULL,
	`ended_at_ms` bigint,
	`due_at_ms` bigint,
	`failures` int NOT NULL DEFAULT 0,
	CONSTRAINT `application_logins_id` PRIMARY KEY(`id`),
	CONSTRAINT `application_logins_family_id_application_id_unique` UNIQUE(`family_id`,`application_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `consents` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`member_id` bigint NOT NULL,
	`application_id` bigint NOT NULL,
	`account_id` bigint,
	`resource_id` bigint,
	`scopes` mediumtext NOT NULL,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	`last_used_at_ms` bigint,
	CONSTRAINT `consents_id` PRIMARY KEY(`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `oauth_artifacts` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`model` varchar(32) NOT NULL,
	`digest` varchar(64) NOT NULL,
	`grant_digest` varchar(64),
	`member_id` bigint,
	`consent_id` bigint,
	`user_code_digest` varchar(64),
	`payload` mediumtext NOT NULL,
	`created_at_ms` bigint NOT NULL,
	`consumed_at_ms` bigint,
	`expires_at_ms` bigint NOT NULL,
	CONSTRAINT `oauth_artifacts_id` PRIMARY KEY(`id`),
	CONSTRAINT `oauth_artifacts_model_digest_unique` UNIQUE(`model`,`digest`),
	CONSTRAINT `oauth_artifacts_user_code_digest_unique` UNIQUE(`user_code_digest`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `impersonations` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`actor_id` bigint NOT NULL,
	`actor_epoch` int NOT NULL,
	`member_id` bigint NOT NULL,
	`account_id` bigint,
	`reason` varchar(500) NOT NULL,
	`may_write` boolean NOT NULL,
	`created_at_ms` bigint NOT NULL,
	`expires_at_ms` bigint NOT NULL,
	`ended_at_ms` bigint,
	`ended_by_id` bigint,
	CONSTRAINT `impersonations_id` PRIMARY KEY(`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`account_id` bigint NOT NULL,
	`email` varchar(320) NOT NULL,
	`email_key` varchar(640) NOT NULL,
	`open_key` varchar(640),
	`role_type` int NOT NULL,
	`custom_role_id` bigint,
	`status` varchar(16) NOT NULL,
	`inviter_id` bigint NOT NULL,
	`token_key` varchar(64),
	`mail_id` bigint,
	`last_sent_at_ms` bigint,
	`expires_at_ms` bigint NOT NULL,
	`untold_expiry_ms` bigint,
	`ended_at_ms` bigint,
	`ended_by_id` bigint,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `invitations_id` PRIMARY KEY(`id`),
	CONSTRAINT `invitations_account_id_open_key_unique` UNIQUE(`account_id`,`open_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `personnel_grants` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`personnel_id` bigint NOT NULL,
	`account_id` bigint NOT NULL,
	`is_deleted` boolean NOT NULL DEFAULT false,
	`active` boolean NOT NULL DEFAULT true,
	`ended_with_member` boolean NOT NULL DEFAULT false,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `personnel_grants_id` PRIMARY KEY(`id`),
	CONSTRAINT `personnel_grants_personnel_id_account_id_unique` UNIQUE(`personnel_id`,`account_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`token_key` varchar(64) NOT NULL,
	`member_id` bigint NOT NULL,
	`kind` varchar(16) NOT NULL,
	`epoch` int NOT NULL,
	`partner_id` bigint,
	`sso_login_id` bigint,
	`impersonation_id` bigint,
	`recovery_id` bigint,
	`device` varchar(255) NOT NULL,
	`address` varchar(64) NOT NULL,
	`created_at_ms` bigint NOT NULL,
	`is_counted` boolean NOT NULL DEFAULT false,
	`last_seen_at_ms` bigint NOT NULL,
	`expires_at_ms` bigint NOT NULL,
	`ended_at_ms` bigint,
	`verified_at_ms` bigint,
	`verified_level` int NOT NULL DEFAULT 1,
	`amr` varchar(64),
	`level` int NOT NULL DEFAULT 1,
	`auth_time_ms` bigint,
	`family_id` bigint,
	`absolute_until_ms` bigint,
	`device_name` varchar(64),
	`retires_at_ms` bigint,
	`successor_jti` varchar(64),
	`successor_expires_at_ms` bigint,
	CONSTRAINT `sessions_id` PRIMARY KEY(`id`),
	CONSTRAINT `sessions_token_key_unique` UNIQUE(`token_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `revocations` (
	`token_key` varchar(64) NOT NULL,
	`expires_at_ms` bigint NOT NULL,
	CONSTRAINT `revocations_token_key` PRIMARY KEY(`token_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `access_changes` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`member_id` bigint,
	`account_id` bigint,
	`partner_id` bigint,
	`application_id` bigint,
	`at_ms` bigint NOT NULL,
	CONSTRAINT `access_changes_id` PRIMARY KEY(`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `access_checkpoints` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`change_id` bigint NOT NULL,
	`at_ms` bigint NOT NULL,
	CONSTRAINT `access_checkpoints_id` PRIMARY KEY(`id`),
	CONSTRAINT `access_checkpoints_change_id_unique` UNIQUE(`change_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `one_time_passwords` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`member_id` bigint NOT NULL,
	`serial` int NOT NULL,
	`digest` varchar(64) NOT NULL,
	`attempts` int NOT NULL DEFAULT 0,
	`created_at_ms` bigint NOT NULL,
	`expires_at_ms` bigint NOT NULL,
	`used_at_ms` bigint,
	CONSTRAINT `one_time_passwords_id` PRIMARY KEY(`id`),
	CONSTRAINT `one_time_passwords_member_id_serial_unique` UNIQUE(`member_id`,`serial`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `mail_outbox` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`idempotency_key` varchar(128) NOT NULL,
	`kind` varchar(64) NOT NULL,
	`member_id` bigint,
	`recipient` varchar(320) NOT NULL,
	`subject` mediumtext NOT NULL,
	`text` mediumtext NOT NULL,
	`html` mediumtext NOT NULL,
	`state` varchar(16) NOT NULL,
	`attempts` int NOT NULL DEFAULT 0,
	`due_at_ms` bigint NOT NULL,
	`lease_token` varchar(64),
	`lease_until_ms` bigint,
	`merged` mediumtext,
	`last_error` varchar(500),
	`created_at_ms` bigint NOT NULL,
	`sent_at_ms` bigint,
	CONSTRAINT `mail_outbox_id` PRIMARY KEY(`id`),
	CONSTRAINT `mail_outbox_idempotency_key_unique` UNIQUE(`idempotency_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `leases` (
	`name` varchar(128) NOT NULL,
	`token` varchar(64) NOT NULL,
	`lease_until_ms` bigint NOT NULL,
	`due_at_ms` bigint NOT NULL,
	`last_run_at_ms` bigint,
	CONSTRAINT `leases_name` PRIMARY KEY(`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `social_connections` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`member_id` bigint NOT NULL,
	`provider_id` int NOT NULL,
	`provider_user_id` varchar(255) NOT NULL,
	`email` varchar(320),
	`display_name` varchar(255),
	`access_token` mediumtext,
	`refresh_token` mediumtext,
	`token_status` varchar(16) NOT NULL,
	`scopes` varchar(1000),
	`fb_accounts` mediumtext,
	`ig_accounts` mediumtext,
	`ln_accounts` mediumtext,
	`twt_accounts` mediumtext,
	`detail` mediumtext,
	`expires_at_ms` bigint,
	`renew_due_at_ms` bigint,
	`renew_attempts` int NOT NULL DEFAULT 0,
	`lease_token` varchar(64),
	`lease_until_ms` bigint,
	`last_error` varchar(500),
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `social_connections_id` PRIMARY KEY(`id`),
	CONSTRAINT `social_connections_provider_id_provider_user_id_unique` UNIQUE(`provider_id`,`provider_user_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `social_states` (
	`state_key` varchar(64) NOT NULL,
	`purpose` varchar(16) NOT NULL,
	`provider_id` int NOT NULL,
	`member_id` bigint,
	`session_token_key` varchar(64),
	`payload` mediumtext,
	`created_at_ms` bigint NOT NULL,
	`expires_at_ms` bigint NOT NULL,
	`used_at_ms` bigint,
	CONSTRAINT `social_states_state_key` PRIMARY KEY(`state_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `partners` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`name` varchar(128) NOT NULL,
	`name_key` varchar(255) NOT NULL,
	`external_id` varchar(128),
	`app_url` varchar(1000) NOT NULL,
	`is_active` boolean NOT NULL DEFAULT true,
	`token_digest` varchar(64),
	`token_expires_at_ms` bigint,
	`tokens_valid_after_ms` bigint NOT NULL DEFAULT 0,
	`last_used_at_ms` bigint,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `partners_id` PRIMARY KEY(`id`),
	CONSTRAINT `partners_name_key_unique` UNIQUE(`name_key`),
	CONSTRAINT `partners_external_id_unique` UNIQUE(`external_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `partner_secrets` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`partner_id` bigint NOT NULL,
	`secret` mediumtext NOT NULL,
	`created_at_ms` bigint NOT NULL,
	`retires_at_ms` bigint,
	`last_used_at_ms` bigint,
	CONSTRAINT `partner_secrets_id` PRIMARY KEY(`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `partner_members` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`partner_id` bigint NOT NULL,
	`member_id` bigint NOT NULL,
	`linked_at_ms` bigint NOT NULL,
	`consented_at_ms` bigint,
	`held_since_ms` bigint,
	CONSTRAINT `partner_members_id` PRIMARY KEY(`id`),
	CONSTRAINT `partner_members_partner_id_member_id_unique` UNIQUE(`partner_id`,`member_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`account_id` bigint NOT NULL,
	`state` varchar(16) NOT NULL,
	`trial_ends_at_ms` bigint,
	`trial_extended_at_ms` bigint,
	`provider` varchar(32),
	`provider_customer_id` varchar(255),
	`provider_subscription_id` varchar(255),
	`plan` varchar(255),
	`add_ons` mediumtext,
	`is_collection_paused` boolean,
	`period_ends_at_ms` bigint,
	`cancel_at_ms` bigint,
	`past_due_at_ms` bigint,
	`last_event_at_ms` bigint,
	`last_event_id` varchar(255),
	`asked_at_ms` bigint,
	`detail` mediumtext,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `subscriptions_id` PRIMARY KEY(`id`),
	CONSTRAINT `subscriptions_account_id_unique` UNIQUE(`account_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `billing_checkouts` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`account_id` bigint NOT NULL,
	`provider` varchar(32) NOT NULL,
	`price_id` varchar(255) NOT NULL,
	`attempt_key` varchar(64) NOT NULL,
	`lease_token` varchar(64),
	`lease_until_ms` bigint,
	`open_provider` varchar(32),
	`open_price_id` varchar(255),
	`checkout_id` varchar(255),
	`url` mediumtext,
	`expires_at_ms` bigint,
	`checked_at_ms` bigint,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `billing_checkouts_id` PRIMARY KEY(`id`),
	CONSTRAINT `billing_checkouts_account_id_unique` UNIQUE(`account_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `billing_customers` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`provider` varchar(32) NOT NULL,
	`customer_id` varchar(255) NOT NULL,
	`account_id` bigint,
	`email` varchar(320),
	`is_gone` boolean,
	`name` varchar(255),
	`detail` mediumtext,
	`last_event_at_ms` bigint,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `billing_customers_id` PRIMARY KEY(`id`),
	CONSTRAINT `billing_customers_provider_customer_id_unique` UNIQUE(`provider`,`customer_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `billing_subscriptions` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`provider` varchar(32) NOT NULL,
	`subscription_id` varchar(255) NOT NULL,
	`customer_id` varchar(255) NOT NULL,
	`account_id` bigint,
	`facts` mediumtext NOT NULL,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `billing_subscriptions_id` PRIMARY KEY(`id`),
	CONSTRAINT `billing_subscriptions_provider_subscription_id_unique` UNIQUE(`provider`,`subscription_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `webhook_log` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`provider` varchar(32) NOT NULL,
	`endpoint` varchar(64) NOT NULL,
	`event_id` varchar(255),
	`dedupe_key` varchar(320),
	`type` varchar(255),
	`body` mediumtext NOT NULL,
	`body_encoding` varchar(8) NOT NULL DEFAULT 'utf8',
	`body_bytes` int NOT NULL,
	`digest` varchar(64) NOT NULL,
	`status` varchar(16) NOT NULL,
	`reason` varchar(500),
	`attempts` int NOT NULL DEFAULT 0,
	`due_at_ms` bigint,
	`lease_token` varchar(64),
	`lease_until_ms` bigint,
	`address` varchar(64) NOT NULL,
	`account_id` bigint,
	`occurred_at_ms` bigint,
	`received_at_ms` bigint NOT NULL,
	`processed_at_ms` bigint,
	CONSTRAINT `webhook_log_id` PRIMARY KEY(`id`),
	CONSTRAINT `webhook_log_dedupe_key_unique` UNIQUE(`dedupe_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `conversations` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`account_id` bigint NOT NULL,
	`subject_id` bigint,
	`title` varchar(255) NOT NULL,
	`is_deleted` boolean NOT NULL DEFAULT false,
	`created_at_ms` bigint NOT NULL,
	`last_message_at_ms` bigint,
	CONSTRAINT `conversations_id` PRIMARY KEY(`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `participants` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`conversation_id` bigint NOT NULL,
	`member_id` bigint NOT NULL,
	`joined_at_ms` bigint NOT NULL,
	CONSTRAINT `participants_id` PRIMARY KEY(`id`),
	CONSTRAINT `participants_conversation_id_member_id_unique` UNIQUE(`conversation_id`,`member_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `messages` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`conversation_id` bigint NOT NULL,
	`member_id` bigint NOT NULL,
	`body` mediumtext NOT NULL,
	`created_at_ms` bigint NOT NULL,
	CONSTRAINT `messages_id` PRIMARY KEY(`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `subjects` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`account_id` bigint NOT NULL,
	`name` varchar(255) NOT NULL,
	`is_deleted` boolean NOT NULL DEFAULT false,
	`deleted_at_ms` bigint,
	`created_at_ms` bigint NOT NULL,
	CONSTRAINT `subjects_id` PRIMARY KEY(`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `affiliates` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`member_id` bigint NOT NULL,
	`code` varchar(64) NOT NULL,
	`code_key` varchar(128) NOT NULL,
	`commission_basis_points` int NOT NULL,
	`payout_email` varchar(320) NOT NULL,
	`active` boolean NOT NULL DEFAULT true,
	`ended_with_member` boolean NOT NULL DEFAULT false,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `affiliates_id` PRIMARY KEY(`id`),
	CONSTRAINT `affiliates_member_id_unique` UNIQUE(`member_id`),
	CONSTRAINT `affiliates_code_key_unique` UNIQUE(`code_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `referrals` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`member_id` bigint NOT NULL,
	`affiliate_id` bigint NOT NULL,
	`created_at_ms` bigint NOT NULL,
	CONSTRAINT `referrals_id` PRIMARY KEY(`id`),
	CONSTRAINT `referrals_member_id_unique` UNIQUE(`member_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `deletion_requests` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`code` varchar(64) NOT NULL,
	`provider_id` int NOT NULL,
	`provider_user_id` varchar(255) NOT NULL,
	`status` varchar(16) NOT NULL,
	`requested_at_ms` bigint NOT NULL,
	`completed_at_ms` bigint,
	CONSTRAINT `deletion_requests_id` PRIMARY KEY(`id`),
	CONSTRAINT `deletion_requests_code_unique` UNIQUE(`code`),
	CONSTRAINT `deletion_requests_provider_id_provider_user_id_unique` UNIQUE(`provider_id`,`provider_user_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `events` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`public_id` varchar(32) NOT NULL,
	`position` bigint,
	`type` varchar(64) NOT NULL,
	`version` int NOT NULL,
	`at_ms` bigint NOT NULL,
	`subject_kind` varchar(16) NOT NULL,
	`subject_id` bigint NOT NULL,
	`subject_version` int NOT NULL,
	`account_id` bigint,
	`actor_kind` varchar(16) NOT NULL,
	`actor_id` bigint,
	`data` mediumtext NOT NULL,
	`audience` mediumtext NOT NULL,
	CONSTRAINT `events_id` PRIMARY KEY(`id`),
	CONSTRAINT `events_position_unique` UNIQUE(`position`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `event_audiences` (
	`audience` varchar(32) NOT NULL,
	`position` bigint NOT NULL,
	CONSTRAINT `event_audiences_audience_position_pk` PRIMARY KEY(`audience`,`position`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `event_endpoints` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`scope` varchar(32) NOT NULL,
	`account_id` bigint,
	`partner_id` bigint,
	`url` varchar(1000) NOT NULL,
	`types` mediumtext NOT NULL,
	`description` varchar(200) NOT NULL,
	`active` boolean NOT NULL,
	`state` varchar(16) NOT NULL,
	`fault` varchar(16),
	`level` int NOT NULL,
	`saved_by_id` bigint NOT NULL,
	`secret` mediumtext NOT NULL,
	`previous_secret` mediumtext,
	`previous_until_ms` bigint,
	`position` bigint NOT NULL,
	`failures` int NOT NULL DEFAULT 0,
	`failing_since_ms` bigint,
	`notified_at_ms` bigint,
	`last_success_at_ms` bigint,
	`redelivery` mediumtext,
	`is_redelivering` boolean NOT NULL DEFAULT false,
	`event_version` int NOT NULL DEFAULT 0,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `event_endpoints_id` PRIMARY KEY(`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `event_deliveries` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`endpoint_id` bigint NOT NULL,
	`position` bigint NOT NULL,
	`event_id` varchar(32) NOT NULL,
	`type` varchar(64) NOT NULL,
	`subject` varchar(64) NOT NULL,
	`state` varchar(16) NOT NULL,
	`failures` int NOT NULL DEFAULT 0,
	`attempts` mediumtext NOT NULL,
	`queued_at_ms` bigint NOT NULL,
	`due_at_ms` bigint NOT NULL,
	`lease_token` varchar(64),
	`delivered_at_ms` bigint,
	`created_at_ms` bigint NOT NULL,
	CONSTRAINT `event_deliveries_id` PRIMARY KEY(`id`),
	CONSTRAINT `event_deliveries_endpoint_id_position_unique` UNIQUE(`endpoint_id`,`position`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `audit_log` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`at_ms` bigint NOT NULL,
	`actor_id` bigint,
	`key_id` bigint,
	`application_id` bigint,
	`on_behalf_of_id` bigint,
	`account_id` bigint,
	`action` varchar(64) NOT NULL,
	`subject_kind` varchar(64),
	`subject_id` varchar(64),
	`address` varchar(255),
	`request_id` varchar(128),
	`before` mediumtext,
	`after` mediumtext,
	CONSTRAINT `audit_log_id` PRIMARY KEY(`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `member_keys` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`member_id` bigint NOT NULL,
	`key` mediumtext NOT NULL,
	`created_at_ms` bigint NOT NULL,
	CONSTRAINT `member_keys_id` PRIMARY KEY(`id`),
	CONSTRAINT `member_keys_member_id_unique` UNIQUE(`member_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `security_events` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`member_id` bigint NOT NULL,
	`at_ms` bigint NOT NULL,
	`kind` varchar(64) NOT NULL,
	`outcome` varchar(8) NOT NULL,
	`address` varchar(64),
	`device` varchar(255),
	`actor_id` bigint,
	`times` int NOT NULL DEFAULT 1,
	`is_counted` boolean NOT NULL DEFAULT false,
	`counted_times` int NOT NULL DEFAULT 0,
	`merge_key` varchar(160),
	CONSTRAINT `security_events_id` PRIMARY KEY(`id`),
	CONSTRAINT `security_events_merge_key_unique` UNIQUE(`merge_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `limits` (
	`key` varchar(255) NOT NULL,
	`points` int NOT NULL,
	`expires_at_ms` bigint,
	CONSTRAINT `limits_key` PRIMARY KEY(`key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `login_familiarity` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`member_id` bigint NOT NULL,
	`origin_key` varchar(64) NOT NULL,
	`last_success_at_ms` bigint NOT NULL,
	CONSTRAINT `login_familiarity_id` PRIMARY KEY(`id`),
	CONSTRAINT `login_familiarity_member_id_origin_key_unique` UNIQUE(`member_id`,`origin_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `login_failures` (
	`holder` varchar(80) NOT NULL,
	`origin` varchar(64) NOT NULL,
	`wait_until_ms` bigint NOT NULL,
	`failures` int NOT NULL,
	`last_failure_at_ms` bigint NOT NULL,
	CONSTRAINT `login_failures_holder_origin_pk` PRIMARY KEY(`holder`,`origin`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `password_uses` (
	`kind` varchar(32) NOT NULL,
	`last_used_at_ms` bigint NOT NULL,
	CONSTRAINT `password_uses_kind` PRIMARY KEY(`kind`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `totp_factors` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`member_id` bigint NOT NULL,
	`secret` mediumtext,
	`confirmed_at_ms` bigint,
	`last_step` bigint NOT NULL DEFAULT 0,
	`pending_secret` mediumtext,
	`pending_since_ms` bigint,
	`created_at_ms` bigint NOT NULL,
	CONSTRAINT `totp_factors_id` PRIMARY KEY(`id`),
	CONSTRAINT `totp_factors_member_id_unique` UNIQUE(`member_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`member_id` bigint NOT NULL,
	`credential_key` varchar(64) NOT NULL,
	`credential_id` mediumtext NOT NULL,
	`public_key` mediumtext NOT NULL,
	`rp_id` varchar(255) NOT NULL,
	`counter` bigint NOT NULL DEFAULT 0,
	`user_handle` varchar(128),
	`backup_eligible` boolean,
	`backed_up` boolean NOT NULL,
	`transports` varchar(128) NOT NULL,
	`name` varchar(64) NOT NULL,
	`created_at_ms` bigint NOT NULL,
	`last_used_at_ms` bigint,
	`suspect_at_ms` bigint,
	CONSTRAINT `passkeys_id` PRIMARY KEY(`id`),
	CONSTRAINT `passkeys_credential_key_unique` UNIQUE(`credential_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `backup_codes` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`member_id` bigint NOT NULL,
	`digest` varchar(64) NOT NULL,
	`created_at_ms` bigint NOT NULL,
	`used_at_ms` bigint,
	CONSTRAINT `backup_codes_id` PRIMARY KEY(`id`),
	CONSTRAINT `backup_codes_member_id_digest_unique` UNIQUE(`member_id`,`digest`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `sign_in_challenges` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`challenge_key` varchar(64) NOT NULL,
	`member_id` bigint NOT NULL,
	`factor_epoch` int NOT NULL,
	`session_epoch` int NOT NULL,
	`password_digest` varchar(64) NOT NULL,
	`kind` varchar(16) NOT NULL,
	`partner_id` bigint,
	`sso_login_id` bigint,
	`application` varchar(16) NOT NULL,
	`deployment` varchar(16) NOT NULL,
	`client_digest` varchar(64) NOT NULL,
	`origin_digest` varchar(64),
	`cookie_digest` varchar(64),
	`amr` varchar(64) NOT NULL,
	`attempts` int NOT NULL DEFAULT 0,
	`created_at_ms` bigint NOT NULL,
	`expires_at_ms` bigint NOT NULL,
	`used_at_ms` bigint,
	CONSTRAINT `sign_in_challenges_id` PRIMARY KEY(`id`),
	CONSTRAINT `sign_in_challenges_challenge_key_unique` UNIQUE(`challenge_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `mailed_codes` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`bound_key` varchar(64) NOT NULL,
	`member_id` bigint NOT NULL,
	`serial` int NOT NULL DEFAULT 1,
	`digest` varchar(64) NOT NULL,
	`attempts` int NOT NULL DEFAULT 0,
	`created_at_ms` bigint NOT NULL,
	`expires_at_ms` bigint NOT NULL,
	`used_at_ms` bigint,
	CONSTRAINT `mailed_codes_id` PRIMARY KEY(`id`),
	CONSTRAINT `mailed_codes_bound_key_serial_unique` UNIQUE(`bound_key`,`serial`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `recoveries` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`member_id` bigint NOT NULL,
	`open_key` bigint,
	`opened_by_id` bigint NOT NULL,
	`reason` varchar(500) NOT NULL,
	`needs_approval` boolean NOT NULL,
	`approved_by_id` bigint,
	`approved_at_ms` bigint,
	`opened_at_ms` bigint NOT NULL,
	`effective_at_ms` bigint NOT NULL,
	`ticket_digest` varchar(64),
	`ticket_expires_at_ms` bigint,
	`ticket_used_at_ms` bigint,
	`ended_at_ms` bigint,
	`ended_by_id` bigint,
	`outcome` varchar(16),
	CONSTRAINT `recoveries_id` PRIMARY KEY(`id`),
	CONSTRAINT `recoveries_open_key_unique` UNIQUE(`open_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `former_addresses` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`member_id` bigint NOT NULL,
	`email` varchar(320) NOT NULL,
	`until_ms` bigint NOT NULL,
	CONSTRAINT `former_addresses_id` PRIMARY KEY(`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `enrolment_tickets` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`ticket_key` varchar(64) NOT NULL,
	`member_id` bigint NOT NULL,
	`created_at_ms` bigint NOT NULL,
	`expires_at_ms` bigint NOT NULL,
	`used_at_ms` bigint,
	CONSTRAINT `enrolment_tickets_id` PRIMARY KEY(`id`),
	CONSTRAINT `enrolment_tickets_ticket_key_unique` UNIQUE(`ticket_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `statistic_counters` (
	`account_id` bigint NOT NULL,
	`name` varchar(32) NOT NULL,
	`slot` int NOT NULL,
	`count` int NOT NULL,
	CONSTRAINT `statistic_counters_account_id_name_slot_pk` PRIMARY KEY(`account_id`,`name`,`slot`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `statistic_gauges` (
	`account_id` bigint NOT NULL,
	`name` varchar(32) NOT NULL,
	`count` int NOT NULL,
	`oldest_at_ms` bigint,
	`at_ms` bigint NOT NULL,
	CONSTRAINT `statistic_gauges_account_id_name_pk` PRIMARY KEY(`account_id`,`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `seen_members` (
	`member_id` bigint NOT NULL,
	`account_id` bigint NOT NULL,
	`slot` int NOT NULL,
	CONSTRAINT `seen_members_member_id_account_id_pk` PRIMARY KEY(`member_id`,`account_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `service_nodes` (
	`name` varchar(128) NOT NULL,
	`service` varchar(32) NOT NULL,
	`slowest_ms` int NOT NULL,
	`reported_at_ms` bigint NOT NULL,
	CONSTRAINT `service_nodes_name` PRIMARY KEY(`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `signing_keys` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`kid` varchar(64) NOT NULL,
	`algorithm` varchar(8) NOT NULL,
	`public_key` mediumtext NOT NULL,
	`private_key` mediumtext NOT NULL,
	`created_at_ms` bigint NOT NULL,
	`promoted_at_ms` bigint,
	`retired_at_ms` bigint,
	CONSTRAINT `signing_keys_id` PRIMARY KEY(`id`),
	CONSTRAINT `signing_keys_kid_unique` UNIQUE(`kid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `resources` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`origin` varchar(320) NOT NULL,
	`name` varchar(80) NOT NULL,
	`ttl_seconds` int NOT NULL,
	`machine_id` bigint,
	`application_tokens` varchar(8) NOT NULL,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `resources_id` PRIMARY KEY(`id`),
	CONSTRAINT `resources_origin_unique` UNIQUE(`origin`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `moved_rows` (
	`kind` varchar(32) NOT NULL,
	`row_key` varchar(190) NOT NULL,
	`digest` varchar(64) NOT NULL,
	`brought_at_ms` bigint NOT NULL,
	CONSTRAINT `moved_rows_kind_row_key_pk` PRIMARY KEY(`kind`,`row_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `scim_tokens` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`account_id` bigint NOT NULL,
	`name` varchar(80) NOT NULL,
	`last_four` varchar(4) NOT NULL,
	`digest` varchar(64) NOT NULL,
	`created_by_id` bigint NOT NULL,
	`created_at_ms` bigint NOT NULL,
	`expires_at_ms` bigint NOT NULL,
	`revoked_at_ms` bigint,
	`last_used_at_ms` bigint,
	`notice_at_ms` bigint,
	CONSTRAINT `scim_tokens_id` PRIMARY KEY(`id`),
	CONSTRAINT `scim_tokens_digest_unique` UNIQUE(`digest`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `scim_requests` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`account_id` bigint NOT NULL,
	`token_id` bigint NOT NULL,
	`at_ms` bigint NOT NULL,
	`method` varchar(8) NOT NULL,
	`path` varchar(200) NOT NULL,
	`status` int NOT NULL,
	`error` varchar(300),
	CONSTRAINT `scim_requests_id` PRIMARY KEY(`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `sso_domains` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`account_id` bigint NOT NULL,
	`domain` varchar(253) NOT NULL,
	`verified_domain` varchar(253),
	`proof` varchar(32) NOT NULL,
	`state` varchar(8) NOT NULL,
	`verified_at_ms` bigint,
	`check_due_at_ms` bigint,
	`answered_at_ms` bigint,
	`failed_days` int NOT NULL DEFAULT 0,
	`created_by_id` bigint NOT NULL,
	`created_at_ms` bigint NOT NULL,
	CONSTRAINT `sso_domains_id` PRIMARY KEY(`id`),
	CONSTRAINT `sso_domains_verified_domain_unique` UNIQUE(`verified_domain`),
	CONSTRAINT `sso_domains_account_id_domain_unique` UNIQUE(`account_id`,`domain`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `sso_connections` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`account_id` bigint NOT NULL,
	`key` varchar(32) NOT NULL,
	`name` varchar(80) NOT NULL,
	`kind` varchar(8) NOT NULL,
	`settings` mediumtext NOT NULL,
	`secret` mediumtext,
	`version` int NOT NULL,
	`tested_version` int,
	`live` mediumtext,
	`live_secret` mediumtext,
	`live_version` int,
	`epoch` int NOT NULL DEFAULT 0,
	`metadata_due_at_ms` bigint,
	`metadata_tried_at_ms` bigint,
	`metadata_check` mediumtext,
	`certificates_end_at_ms` bigint,
	`created_by_id` bigint NOT NULL,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `sso_connections_id` PRIMARY KEY(`id`),
	CONSTRAINT `sso_connections_key_unique` UNIQUE(`key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `sso_subjects` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`connection_id` bigint NOT NULL,
	`account_id` bigint NOT NULL,
	`subject_key` varchar(64) NOT NULL,
	`subject` varchar(512) NOT NULL,
	`member_id` bigint NOT NULL,
	`consented_at_ms` bigint,
	`created_at_ms` bigint NOT NULL,
	`last_sign_in_at_ms` bigint NOT NULL,
	CONSTRAINT `sso_subjects_id` PRIMARY KEY(`id`),
	CONSTRAINT `sso_subjects_connection_id_subject_key_unique` UNIQUE(`connection_id`,`subject_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `sso_logins` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`connection_id` bigint NOT NULL,
	`account_id` bigint NOT NULL,
	`subject_id` bigint NOT NULL,
	`member_id` bigint NOT NULL,
	`epoch` int NOT NULL,
	`level` int NOT NULL,
	`until_ms` bigint NOT NULL,
	`provider_session_key` varchar(64),
	`logout_url` mediumtext,
	`created_at_ms` bigint NOT NULL,
	CONSTRAINT `sso_logins_id` PRIMARY KEY(`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `sso_runs` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`code_key` varchar(64) NOT NULL,
	`purpose` varchar(8) NOT NULL,
	`connection_id` bigint NOT NULL,
	`account_id` bigint NOT NULL,
	`version` int NOT NULL,
	`member_id` bigint,
	`payload` mediumtext,
	`created_at_ms` bigint NOT NULL,
	`expires_at_ms` bigint NOT NULL,
	CONSTRAINT `sso_runs_id` PRIMARY KEY(`id`),
	CONSTRAINT `sso_runs_code_key_unique` UNIQUE(`code_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `scim_users` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`membership_id` bigint NOT NULL,
	`account_id` bigint NOT NULL,
	`member_id` bigint NOT NULL,
	`external_id` varchar(255),
	`given_name` varchar(100),
	`family_name` varchar(100),
	`display_name` varchar(200),
	`email` varchar(320),
	`is_deleted` boolean NOT NULL DEFAULT false,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `scim_users_id` PRIMARY KEY(`id`),
	CONSTRAINT `scim_users_membership_id_unique` UNIQUE(`membership_id`),
	CONSTRAINT `scim_users_account_id_external_id_unique` UNIQUE(`account_id`,`external_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `scim_groups` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`account_id` bigint NOT NULL,
	`display_name` varchar(255) NOT NULL,
	`display_name_key` varchar(640) NOT NULL,
	`external_id` varchar(255),
	`version` int NOT NULL DEFAULT 1,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `scim_groups_id` PRIMARY KEY(`id`),
	CONSTRAINT `scim_groups_account_id_display_name_key_unique` UNIQUE(`account_id`,`display_name_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `scim_group_members` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`account_id` bigint NOT NULL,
	`group_id` bigint NOT NULL,
	`membership_id` bigint NOT NULL,
	CONSTRAINT `scim_group_members_id` PRIMARY KEY(`id`),
	CONSTRAINT `scim_group_members_group_id_membership_id_unique` UNIQUE(`group_id`,`membership_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
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
CREATE INDEX `foreign_ids_member_id_id_index` ON `foreign_ids` (`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `foreign_ids_account_id_id_index` ON `foreign_ids` (`account_id`,`id`);
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
CREATE INDEX `memberships_account_id_is_deleted_active_member_id_index` ON `memberships` (`account_id`,`is_deleted`,`active`,`member_id`);
--> statement-breakpoint
CREATE INDEX `memberships_role_type_member_id_index` ON `memberships` (`role_type`,`member_id`);
--> statement-breakpoint
CREATE INDEX `memberships_custom_role_id_index` ON `memberships` (`custom_role_id`);
--> statement-breakpoint
CREATE INDEX `machines_account_id_removed_at_ms_member_id_index` ON `machines` (`account_id`,`removed_at_ms`,`member_id`);
--> statement-breakpoint
CREATE INDEX `machines_custom_role_id_index` ON `machines` (`custom_role_id`);
--> statement-breakpoint
CREATE INDEX `api_keys_machine_id_id_index` ON `api_keys` (`machine_id`,`id`);
--> statement-breakpoint
CREATE INDEX `api_keys_notice_at_ms_index` ON `api_keys` (`notice_at_ms`);
--> statement-breakpoint
CREATE INDEX `applications_account_id_removed_at_ms_id_index` ON `applications` (`account_id`,`removed_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `applications_created_by_id_type_index` ON `applications` (`created_by_id`,`type`);
--> statement-breakpoint
CREATE INDEX `application_secrets_application_id_id_index` ON `application_secrets` (`application_id`,`id`);
--> statement-breakpoint
CREATE INDEX `application_logins_member_id_family_id_index` ON `application_logins` (`member_id`,`family_id`);
--> statement-breakpoint
CREATE INDEX `application_logins_due_at_ms_index` ON `application_logins` (`due_at_ms`);
--> statement-breakpoint
CREATE INDEX `consents_member_id_application_id_index` ON `consents` (`member_id`,`application_id`);
--> statement-breakpoint
CREATE INDEX `consents_application_id_id_index` ON `consents` (`application_id`,`id`);
--> statement-breakpoint
CREATE INDEX `consents_account_id_id_index` ON `consents` (`account_id`,`id`);
--> statement-breakpoint
CREATE INDEX `oauth_artifacts_grant_digest_index` ON `oauth_artifacts` (`grant_digest`);
--> statement-breakpoint
CREATE INDEX `oauth_artifacts_consent_id_index` ON `oauth_artifacts` (`consent_id`);
--> statement-breakpoint
CREATE INDEX `oauth_artifacts_member_id_index` ON `oauth_artifacts` (`member_id`);
--> statement-breakpoint
CREATE INDEX `oauth_artifacts_expires_at_ms_index` ON `oauth_artifacts` (`expires_at_ms`);
--> statement-breakpoint
CREATE INDEX `impersonations_actor_id_id_index` ON `impersonations` (`actor_id`,`id`);
--> statement-breakpoint
CREATE INDEX `impersonations_member_id_id_index` ON `impersonations` (`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `invitations_account_id_id_index` ON `invitations` (`account_id`,`id`);
--> statement-breakpoint
CREATE INDEX `invitations_email_key_id_index` ON `invitations` (`email_key`,`id`);
--> statement-breakpoint
CREATE INDEX `invitations_inviter_id_id_index` ON `invitations` (`inviter_id`,`id`);
--> statement-breakpoint
CREATE INDEX `invitations_untold_expiry_ms_index` ON `invitations` (`untold_expiry_ms`);
--> statement-breakpoint
CREATE INDEX `personnel_grants_account_id_personnel_id_index` ON `personnel_grants` (`account_id`,`personnel_id`);
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
CREATE INDEX `revocations_expires_at_ms_index` ON `revocations` (`expires_at_ms`);
--> statement-breakpoint
CREATE INDEX `one_time_passwords_expires_at_ms_index` ON `one_time_passwords` (`expires_at_ms`);
--> statement-breakpoint
CREATE INDEX `mail_outbox_state_due_at_ms_index` ON `mail_outbox` (`state`,`due_at_ms`);
--> statement-breakpoint
CREATE INDEX `mail_outbox_member_id_id_index` ON `mail_outbox` (`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `mail_outbox_state_id_index` ON `mail_outbox` (`state`,`id`);
--> statement-breakpoint
CREATE INDEX `mail_outbox_created_at_ms_index` ON `mail_outbox` (`created_at_ms`);
--> statement-breakpoint
CREATE INDEX `social_connections_member_id_provider_id_index` ON `social_connections` (`member_id`,`provider_id`);
--> statement-breakpoint
CREATE INDEX `social_connections_renew_due_at_ms_index` ON `social_connections` (`renew_due_at_ms`);
--> statement-breakpoint
CREATE INDEX `social_states_expires_at_ms_index` ON `social_states` (`expires_at_ms`);
--> statement-breakpoint
CREATE INDEX `partner_secrets_partner_id_id_index` ON `partner_secrets` (`partner_id`,`id`);
--> statement-breakpoint
CREATE INDEX `partner_members_member_id_index` ON `partner_members` (`member_id`);
--> statement-breakpoint
CREATE INDEX `subscriptions_state_trial_ends_at_ms_index` ON `subscriptions` (`state`,`trial_ends_at_ms`);
--> statement-breakpoint
CREATE INDEX `subscriptions_state_period_ends_at_ms_index` ON `subscriptions` (`state`,`period_ends_at_ms`);
--> statement-breakpoint
CREATE INDEX `subscriptions_provider_provider_subscription_id_index` ON `subscriptions` (`provider`,`provider_subscription_id`);
--> statement-breakpoint
CREATE INDEX `subscriptions_provider_provider_customer_id_index` ON `subscriptions` (`provider`,`provider_customer_id`);
--> statement-breakpoint
CREATE INDEX `billing_customers_account_id_id_index` ON `billing_customers` (`account_id`,`id`);
--> statement-breakpoint
CREATE INDEX `billing_subscriptions_account_id_id_index` ON `billing_subscriptions` (`account_id`,`id`);
--> statement-breakpoint
CREATE INDEX `billing_subscriptions_provider_customer_id_index` ON `billing_subscriptions` (`provider`,`customer_id`);
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
CREATE INDEX `conversations_account_id_is_deleted_id_index` ON `conversations` (`account_id`,`is_deleted`,`id`);
--> statement-breakpoint
CREATE INDEX `conversations_subject_id_id_index` ON `conversations` (`subject_id`,`id`);
--> statement-breakpoint
CREATE INDEX `participants_member_id_conversation_id_index` ON `participants` (`member_id`,`conversation_id`);
--> statement-breakpoint
CREATE INDEX `messages_conversation_id_id_index` ON `messages` (`conversation_id`,`id`);
--> statement-breakpoint
CREATE INDEX `messages_conversation_id_member_id_id_index` ON `messages` (`conversation_id`,`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `messages_member_id_id_index` ON `messages` (`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `subjects_account_id_is_deleted_id_index` ON `subjects` (`account_id`,`is_deleted`,`id`);
--> statement-breakpoint
CREATE INDEX `referrals_affiliate_id_member_id_index` ON `referrals` (`affiliate_id`,`member_id`);
--> statement-breakpoint
CREATE INDEX `events_subject_kind_subject_id_id_index` ON `events` (`subject_kind`,`subject_id`,`id`);
--> statement-breakpoint
CREATE INDEX `event_audiences_position_index` ON `event_audiences` (`position`);
--> statement-breakpoint
CREATE INDEX `event_endpoints_scope_id_index` ON `event_endpoints` (`scope`,`id`);
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
CREATE INDEX `security_events_member_id_id_index` ON `security_events` (`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `security_events_at_ms_index` ON `security_events` (`at_ms`);
--> statement-breakpoint
CREATE INDEX `security_events_is_counted_id_index` ON `security_events` (`is_counted`,`id`);
--> statement-breakpoint
CREATE INDEX `limits_expires_at_ms_index` ON `limits` (`expires_at_ms`);
--> statement-breakpoint
CREATE INDEX `login_familiarity_last_success_at_ms_index` ON `login_familiarity` (`last_success_at_ms`);
--> statement-breakpoint
CREATE INDEX `login_failures_failures_index` ON `login_failures` (`failures`);
--> statement-breakpoint
CREATE INDEX `login_failures_last_failure_at_ms_index` ON `login_failures` (`last_failure_at_ms`);
--> statement-breakpoint
CREATE INDEX `passkeys_member_id_id_index` ON `passkeys` (`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `sign_in_challenges_member_id_index` ON `sign_in_challenges` (`member_id`);
--> statement-breakpoint
CREATE INDEX `sign_in_challenges_expires_at_ms_index` ON `sign_in_challenges` (`expires_at_ms`);
--> statement-breakpoint
CREATE INDEX `mailed_codes_member_id_index` ON `mailed_codes` (`member_id`);
--> statement-breakpoint
CREATE INDEX `mailed_codes_expires_at_ms_index` ON `mailed_codes` (`expires_at_ms`);
--> statement-breakpoint
CREATE INDEX `recoveries_member_id_id_index` ON `recoveries` (`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `recoveries_opened_by_id_opened_at_ms_index` ON `recoveries` (`opened_by_id`,`opened_at_ms`);
--> statement-breakpoint
CREATE INDEX `recoveries_ended_at_ms_effective_at_ms_index` ON `recoveries` (`ended_at_ms`,`effective_at_ms`);
--> statement-breakpoint
CREATE INDEX `former_addresses_member_id_until_ms_index` ON `former_addresses` (`member_id`,`until_ms`);
--> statement-breakpoint
CREATE INDEX `former_addresses_until_ms_index` ON `former_addresses` (`until_ms`);
--> statement-breakpoint
CREATE INDEX `enrolment_tickets_member_id_index` ON `enrolment_tickets` (`member_id`);
--> statement-breakpoint
CREATE INDEX `enrolment_tickets_expires_at_ms_index` ON `enrolment_tickets` (`expires_at_ms`);
--> statement-breakpoint
CREATE INDEX `statistic_counters_slot_index` ON `statistic_counters` (`slot`);
--> statement-breakpoint
CREATE INDEX `service_nodes_reported_at_ms_index` ON `service_nodes` (`reported_at_ms`);
--> statement-breakpoint
CREATE INDEX `scim_tokens_account_id_id_index` ON `scim_tokens` (`account_id`,`id`);
--> statement-breakpoint
CREATE INDEX `scim_tokens_notice_at_ms_index` ON `scim_tokens` (`notice_at_ms`);
--> statement-breakpoint
CREATE INDEX `scim_requests_account_id_id_index` ON `scim_requests` (`account_id`,`id`);
--> statement-breakpoint
CREATE INDEX `sso_domains_check_due_at_ms_index` ON `sso_domains` (`check_due_at_ms`);
--> statement-breakpoint
CREATE INDEX `sso_connections_certificates_end_at_ms_id_index` ON `sso_connections` (`certificates_end_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `sso_connections_kind_metadata_due_at_ms_index` ON `sso_connections` (`kind`,`metadata_due_at_ms`);
--> statement-breakpoint
CREATE INDEX `sso_connections_account_id_id_index` ON `sso_connections` (`account_id`,`id`);
--> statement-breakpoint
CREATE INDEX `sso_subjects_member_id_account_id_index` ON `sso_subjects` (`member_id`,`account_id`);
--> statement-breakpoint
CREATE INDEX `sso_subjects_account_id_id_index` ON `sso_subjects` (`account_id`,`id`);
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
CREATE INDEX `sso_runs_expires_at_ms_index` ON `sso_runs` (`expires_at_ms`);
--> statement-breakpoint
CREATE INDEX `sso_runs_account_id_id_index` ON `sso_runs` (`account_id`,`id`);
--> statement-breakpoint
CREATE INDEX `scim_users_member_id_id_index` ON `scim_users` (`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `scim_group_members_membership_id_group_id_index` ON `scim_group_members` (`membership_id`,`group_id`);
--> statement-breakpoint
CREATE INDEX `scim_group_members_account_id_id_index` ON `scim_group_members` (`account_id`,`id`);
