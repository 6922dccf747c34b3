ALTER TABLE `memberships` ADD `held_since_ms` integer;
--> statement-breakpoint
ALTER TABLE `partner_members` ADD `held_since_ms` integer;
