ALTER TABLE `members` ADD `pending_awaits` varchar(8);
--> statement-breakpoint
ALTER TABLE `members` ADD `pending_since_ms` bigint;
--> statement-breakpoint
ALTER TABLE `members` ADD `has_password` boolean DEFAULT true NOT NULL;
--> statement-breakpoint
ALTER TABLE `members` ADD `locale` varchar(8) DEFAULT 'en' NOT NULL;
--> statement-breakpoint
UPDATE `members` SET `has_password` = FALSE WHERE (`password_changed_at_ms` IS NULL AND (`created_by_partner_id` IS NOT NULL OR EXISTS (SELECT 1 FROM `social_connections` `c` WHERE `c`.`member_id` = `members`.`id` AND `c`.`created_at_ms` = `members`.`created_at_ms`))) OR `password` = '$2b$10$UrvwKCEX1Yz7/Pwta/FRquGSp0h6xGypotA0.ImyLUNLzzwH5MrOu';
