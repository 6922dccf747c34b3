ALTER TABLE `subscriptions` ADD `add_ons` text;
--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `is_collection_paused` integer;
--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `asked_at_ms` integer;
--> statement-breakpoint
CREATE INDEX `subscriptions_state_period_ends_at_ms_index` ON `subscriptions` (`state`,`period_ends_at_ms`);
--> statement-breakpoint
ALTER TABLE `billing_customers` ADD `is_gone` integer;
