CREATE TABLE `passkeys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`member_id` integer NOT NULL,
	`credential_key` text NOT NULL,
	`credential_id` text NOT NULL,
	`public_key` text NOT NULL,
	`rp_id` text NOT NULL,
	`counter` integer DEFAULT 0 NOT NULL,
	`backup_eligible` integer NOT NULL,
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
ALTER TABLE `members` ADD `passkey_user_id` text;
