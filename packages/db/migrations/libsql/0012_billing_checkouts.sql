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
ALTER TABLE `subscriptions` ADD `past_due_at_ms` integer;
