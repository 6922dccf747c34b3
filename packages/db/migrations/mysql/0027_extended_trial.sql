ALTER TABLE `subscriptions` ADD `trial_extended_at_ms` bigint;
