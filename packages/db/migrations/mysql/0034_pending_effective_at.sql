ALTER TABLE `members` ADD `pending_effective_at_ms` bigint;
--> statement-breakpoint
CREATE INDEX `members_pending_effective_at_ms_index` ON `members` (`pending_effective_at_ms`);
