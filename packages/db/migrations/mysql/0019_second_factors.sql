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
	`application` varchar(16) NOT NULL,
	`deployment` varchar(16) NOT NULL,
	`client_digest` varchar(64) NOT NULL,
	`origin_digest` varchar(64),
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
	`digest` varchar(64) NOT NULL,
	`attempts` int NOT NULL DEFAULT 0,
	`created_at_ms` bigint NOT NULL,
	`expires_at_ms` bigint NOT NULL,
	`used_at_ms` bigint,
	CONSTRAINT `mailed_codes_id` PRIMARY KEY(`id`),
	CONSTRAINT `mailed_codes_bound_key_unique` UNIQUE(`bound_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
--> statement-breakpoint
ALTER TABLE `members` ADD `factor_epoch` int DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `members` ADD `second_factor` boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `members` ADD `email_step` boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `verified_level` int DEFAULT 1 NOT NULL;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `amr` varchar(64);
--> statement-breakpoint
ALTER TABLE `sessions` ADD `level` int DEFAULT 1 NOT NULL;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `auth_time_ms` bigint;
--> statement-breakpoint
CREATE INDEX `sign_in_challenges_member_id_index` ON `sign_in_challenges` (`member_id`);
--> statement-breakpoint
CREATE INDEX `sign_in_challenges_expires_at_ms_index` ON `sign_in_challenges` (`expires_at_ms`);
--> statement-breakpoint
CREATE INDEX `mailed_codes_member_id_index` ON `mailed_codes` (`member_id`);
--> statement-breakpoint
CREATE INDEX `mailed_codes_expires_at_ms_index` ON `mailed_codes` (`expires_at_ms`);
