ALTER TABLE `subscriptions` ADD `trial_extended_at_ms` bigint;
--> statement-breakpoint
UPDATE `subscriptions` SET `trial_extended_at_ms` = `updated_at_ms` WHERE `state` = 'trialing' AND `provider` IS NULL;
