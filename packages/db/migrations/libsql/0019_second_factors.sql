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
	`application` text NOT NULL,
	`deployment` text NOT NULL,
	`client_digest` text NOT NULL,
	`origin_digest` text,
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
	`digest` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`used_at_ms` integer
);

--> statement-breakpoint
CREATE UNIQUE INDEX `mailed_codes_bound_key_unique` ON `mailed_codes` (`bound_key`);
--> statement-breakpoint
CREATE INDEX `mailed_codes_member_id_index` ON `mailed_codes` (`member_id`);
--> statement-breakpoint
CREATE INDEX `mailed_codes_expires_at_ms_index` ON `mailed_codes` (`expires_at_ms`);
--> statement-breakpoint
ALTER TABLE `members` ADD `factor_epoch` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `members` ADD `second_factor` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `members` ADD `email_step` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `verified_level` integer DEFAULT 1 NOT NULL;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `amr` text;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `level` integer DEFAULT 1 NOT NULL;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `auth_time_ms` integer;
