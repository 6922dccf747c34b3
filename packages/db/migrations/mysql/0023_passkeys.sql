CREATE TABLE `passkeys` (
	`id` bigint AUTO_INCREMENT NOT NULL,
	`member_id` bigint NOT NULL,
	`credential_key` varchar(64) NOT NULL,
	`credential_id` mediumtext NOT NULL,
	`public_key` mediumtext NOT NULL,
	`rp_id` varchar(255) NOT NULL,
	`counter` bigint NOT NULL DEFAULT 0,
	`backup_eligible` boolean NOT NULL,
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
ALTER TABLE `members` ADD `passkey_user_id` varchar(43);
--> statement-breakpoint
CREATE INDEX `passkeys_member_id_id_index` ON `passkeys` (`member_id`,`id`);
