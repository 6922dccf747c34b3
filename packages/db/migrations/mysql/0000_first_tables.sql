CREATE TABLE `members` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`sid` varchar(320) NOT NULL,
	`sid_key` varchar(640) NOT NULL,
	`username` varchar(255) NOT NULL,
	`username_key` varchar(640) NOT NULL,
	`first_name` varchar(255) NOT NULL,
	`first_name_key` varchar(640) NOT NULL,
	`last_name` varchar(255) NOT NULL,
	`email` varchar(320),
	`email_key` varchar(640),
	`email_confirmed_at_ms` bigint,
	`pending_email` varchar(320),
	`pending_email_key` varchar(640),
	`password` varchar(255) NOT NULL,
	`password_changed_at_ms` bigint,
	`role_type` int NOT NULL,
	`role` varchar(64) NOT NULL,
	`is_personnel` boolean NOT NULL DEFAULT false,
	`is_deleted` boolean NOT NULL DEFAULT false,
	`deleted_at_ms` bigint,
	`auth_token_digest` varchar(64),
	`auth_token_expires_at_ms` bigint,
	`session_epoch` int NOT NULL DEFAULT 0,
	`tokens_valid_after_ms` bigint NOT NULL DEFAULT 0,
	`default_payment_id` int NOT NULL DEFAULT 2,
	`created_by_partner_id` bigint,
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
CREATE TABLE `accounts` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`name` varchar(255) NOT NULL,
	`name_key` varchar(640) NOT NULL,
	`owner_id` bigint NOT NULL,
	`created_by_partner_id` bigint,
	`is_deleted` boolean NOT NULL DEFAULT false,
	`deleted_at_ms` bigint,
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
	`is_deleted` boolean NOT NULL DEFAULT false,
	`active` boolean NOT NULL DEFAULT true,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `memberships_id` PRIMARY KEY(`id`),
	CONSTRAINT `memberships_member_id_account_id_unique` UNIQUE(`member_id`,`account_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `personnel_grants` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`personnel_id` bigint NOT NULL,
	`account_id` bigint NOT NULL,
	`is_deleted` boolean NOT NULL DEFAULT false,
	`active` boolean NOT NULL DEFAULT true,
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
	`device` varchar(255) NOT NULL,
	`address` varchar(64) NOT NULL,
	`created_at_ms` bigint NOT NULL,
	`last_seen_at_ms` bigint NOT NULL,
	`expires_at_ms` bigint NOT NULL,
	`ended_at_ms` bigint,
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
	`at_ms` bigint NOT NULL,
	CONSTRAINT `access_changes_id` PRIMARY KEY(`id`)
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
	CONSTRAINT `one_time_passwords_member_id_unique` UNIQUE(`member_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `mail_outbox` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`idempotency_key` varchar(128) NOT NULL,
	`kind` varchar(64) NOT NULL,
	`member_id` bigint,
	`recipient` varchar(320) NOT NULL,
	`subject` varchar(255) NOT NULL,
	`text` mediumtext NOT NULL,
	`html` mediumtext NOT NULL,
	`state` varchar(16) NOT NULL,
	`attempts` int NOT NULL DEFAULT 0,
	`due_at_ms` bigint NOT NULL,
	`lease_token` varchar(64),
	`lease_until_ms` bigint,
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
	`app_url` varchar(1000) NOT NULL,
	`is_active` boolean NOT NULL DEFAULT true,
	`token_digest` varchar(64),
	`token_expires_at_ms` bigint,
	`last_used_at_ms` bigint,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `partners_id` PRIMARY KEY(`id`),
	CONSTRAINT `partners_name_key_unique` UNIQUE(`name_key`)
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
	CONSTRAINT `partner_members_id` PRIMARY KEY(`id`),
	CONSTRAINT `partner_members_partner_id_member_id_unique` UNIQUE(`partner_id`,`member_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`account_id` bigint NOT NULL,
	`state` varchar(16) NOT NULL,
	`trial_ends_at_ms` bigint,
	`provider` varchar(32),
	`provider_customer_id` varchar(255),
	`provider_subscription_id` varchar(255),
	`plan` varchar(255),
	`period_ends_at_ms` bigint,
	`cancel_at_ms` bigint,
	`last_event_at_ms` bigint,
	`last_event_id` varchar(255),
	`detail` mediumtext,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `subscriptions_id` PRIMARY KEY(`id`),
	CONSTRAINT `subscriptions_account_id_unique` UNIQUE(`account_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
CREATE TABLE `billing_customers` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`provider` varchar(32) NOT NULL,
	`customer_id` varchar(255) NOT NULL,
	`account_id` bigint,
	`email` varchar(320),
	`name` varchar(255),
	`detail` mediumtext,
	`last_event_at_ms` bigint,
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `billing_customers_id` PRIMARY KEY(`id`),
	CONSTRAINT `billing_customers_provider_customer_id_unique` UNIQUE(`provider`,`customer_id`)
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
	`created_at_ms` bigint NOT NULL,
	`updated_at_ms` bigint NOT NULL,
	CONSTRAINT `affiliates_id` PRIMARY KEY(`id`),
	CONSTRAINT `affiliates_member_id_unique` UNIQUE(`member_id`),
	CONSTRAINT `affiliates_code_key_unique` UNIQUE(`code_key`)
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
CREATE TABLE `audit_log` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`at_ms` bigint NOT NULL,
	`actor_id` bigint,
	`on_behalf_of_id` bigint,
	`account_id` bigint,
	`action` varchar(64) NOT NULL,
	`subject_kind` varchar(64),
	`subject_id` varchar(64),
	`address` varchar(64),
	`request_id` varchar(128),
	`before` mediumtext,
	`after` mediumtext,
	CONSTRAINT `audit_log_id` PRIMARY KEY(`id`)
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
CREATE INDEX `members_first_name_key_id_index` ON `members` (`first_name_key`,`id`);
--> statement-breakpoint
CREATE INDEX `members_is_personnel_role_type_id_index` ON `members` (`is_personnel`,`role_type`,`id`);
--> statement-breakpoint
CREATE INDEX `accounts_name_key_id_index` ON `accounts` (`name_key`,`id`);
--> statement-breakpoint
CREATE INDEX `accounts_owner_id_id_index` ON `accounts` (`owner_id`,`id`);
--> statement-breakpoint
CREATE INDEX `accounts_created_by_partner_id_id_index` ON `accounts` (`created_by_partner_id`,`id`);
--> statement-breakpoint
CREATE INDEX `memberships_account_id_is_deleted_active_member_id_index` ON `memberships` (`account_id`,`is_deleted`,`active`,`member_id`);
--> statement-breakpoint
CREATE INDEX `memberships_role_type_member_id_index` ON `memberships` (`role_type`,`member_id`);
--> statement-breakpoint
CREATE INDEX `personnel_grants_account_id_personnel_id_index` ON `personnel_grants` (`account_id`,`personnel_id`);
--> statement-breakpoint
CREATE INDEX `sessions_member_id_id_index` ON `sessions` (`member_id`,`id`);
--> statement-breakpoint
CREATE INDEX `sessions_expires_at_ms_index` ON `sessions` (`expires_at_ms`);
--> statement-breakpoint
CREATE INDEX `revocations_expires_at_ms_index` ON `revocations` (`expires_at_ms`);
--> statement-breakpoint
CREATE INDEX `access_changes_at_ms_index` ON `access_changes` (`at_ms`);
--> statement-breakpoint
CREATE INDEX `one_time_passwords_expires_at_ms_index` ON `one_time_passwords` (`expires_at_ms`);
--> statement-breakpoint
CREATE INDEX `mail_outbox_state_due_at_ms_index` ON `mail_outbox` (`state`,`due_at_ms`);
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
CREATE INDEX `subscriptions_provider_provider_subscription_id_index` ON `subscriptions` (`provider`,`provider_subscription_id`);
--> statement-breakpoint
CREATE INDEX `subscriptions_provider_provider_customer_id_index` ON `subscriptions` (`provider`,`provider_customer_id`);
--> statement-breakpoint
CREATE INDEX `billing_customers_account_id_id_index` ON `billing_customers` (`account_id`,`id`);
--> statement-breakpoint
CREATE INDEX `webhook_log_status_due_at_ms_index` ON `webhook_log` (`status`,`due_at_ms`);
--> statement-breakpoint
CREATE INDEX `webhook_log_status_received_at_ms_index` ON `webhook_log` (`status`,`received_at_ms`);
--> statement-breakpoint
CREATE INDEX `webhook_log_address_received_at_ms_index` ON `webhook_log` (`address`,`received_at_ms`);
--> statement-breakpoint
CREATE INDEX `webhook_log_provider_id_index` ON `webhook_log` (`provider`,`id`);
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
CREATE INDEX `subjects_account_id_is_deleted_id_index` ON `subjects` (`account_id`,`is_deleted`,`id`);
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
CREATE INDEX `limits_expires_at_ms_index` ON `limits` (`expires_at_ms`);
--> statement-breakpoint
CREATE INDEX `login_familiarity_last_success_at_ms_index` ON `login_familiarity` (`last_success_at_ms`);
