ALTER TABLE `memberships` ADD `held_since_ms` bigint;
--> statement-breakpoint
ALTER TABLE `partner_members` ADD `held_since_ms` bigint;
