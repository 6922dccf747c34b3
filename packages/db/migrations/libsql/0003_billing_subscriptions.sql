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
