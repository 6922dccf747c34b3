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
